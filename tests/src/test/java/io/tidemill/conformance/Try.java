package io.tidemill.conformance;

import com.fasterxml.jackson.databind.*;
import io.tidemill.protocol.error.*;
import io.tidemill.query.compile.*;
import io.tidemill.query.job.*;
import io.tidemill.query.plan.*;
import java.nio.file.*;

public class Try {
  public static void main(String[] a) throws Exception {
    ObjectMapper m = new ObjectMapper();
    int ok = 0, bad = 0;
    JsonNode l = m.readTree(Path.of("/work/shared/conformance/legality.json").toFile());
    for (JsonNode d : l) {
      String name = d.path("name").asText();
      boolean legal = d.path("legal").asBoolean();
      String got;
      boolean g;
      try {
        JobCompiler.compile(
            JobParser.parse(new JobText(name, ScenarioJob.text(d)), Variables.none()),
            new ScenarioSchemas());
        g = true;
        got = "legal";
      } catch (TidemillException e) {
        g = false;
        got = e.code() + " " + e.text();
      } catch (RuntimeException e) {
        g = !legal;
        got = "CRASH " + e;
        StackTraceElement[] st = e.getStackTrace();
        got += " " + st[0] + " " + (st.length > 1 ? st[1] : "");
      }
      if (g != legal && !got.startsWith("UNSUPPORTED")) {
        bad++;
        System.out.println(
            "LEGALITY " + name + " want " + legal + " got " + got + " | " + d.path("sql").asText());
      } else ok++;
      if (a.length > 0 && !legal && !g) System.out.println("  (" + name + ") " + got);
    }
    System.out.println("legality ok " + ok + " bad " + bad);
    ok = bad = 0;
    try (var files = Files.list(Path.of("/work/shared/conformance/scenarios"))) {
      for (Path p : files.sorted().toList()) {
        JsonNode d = m.readTree(p.toFile());
        try {
          var plans =
              JobCompiler.compile(
                  JobParser.parse(
                      new JobText(p.getFileName().toString(), ScenarioJob.text(d)),
                      Variables.none()),
                  new ScenarioSchemas());
          ok++;
          if (a.length > 0 && p.toString().contains(a[0]))
            System.out.println(
                m.writerWithDefaultPrettyPrinter()
                    .writeValueAsString(io.tidemill.protocol.Json.tree(plans.get(0).stages())));
        } catch (TidemillException e) {
          if (e.code() != ErrorCode.UNSUPPORTED) {
            bad++;
            System.out.println("SCENARIO " + p.getFileName() + " " + e.getMessage());
          }
        } catch (RuntimeException e) {
          bad++;
          System.out.println(
              "SCENARIO CRASH " + p.getFileName() + " " + e + " " + e.getStackTrace()[0]);
        }
      }
    }
    System.out.println("scenarios compile " + ok + " bad " + bad);
  }
}

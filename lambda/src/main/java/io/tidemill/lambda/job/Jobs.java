package io.tidemill.lambda.job;

import io.tidemill.connectors.Connectors;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.local.LocalJob;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.JobFile;
import io.tidemill.query.job.JobParser;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Statement;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Finds jobs and compiles their queries. Thread-safe. */
public final class Jobs {
  private final JobFolder folder;
  private final Connectors connectors;
  private final UnaryOperator<String> environment;
  private final References references;

  /** Texts last read, by name: finding a job and planning it is one look at the folder. */
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  /**
   * @param environment value of an environment variable, or null
   */
  public Jobs(
      JobFolder folder,
      Connectors connectors,
      UnaryOperator<String> environment,
      References references) {
    this.folder = folder;
    this.connectors = connectors;
    this.environment = environment;
    this.references = references;
  }

  /**
   * The queries that an event names.
   *
   * @param job file name, if named
   * @param query query name, if named; without it all of the job's
   */
  public List<JobReference> find(
      Optional<String> job, Optional<String> query, Map<String, String> variables) {
    List<String> candidates = job.map(List::of).orElseGet(folder::names);
    List<JobReference> found = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    for (String name : candidates) {
      String text = text(name);
      for (String target : targets(new JobText(name, text), variables)) {
        seen.add(target);
        if (query.isEmpty() || query.get().equalsIgnoreCase(target)) {
          found.add(new JobReference(name, hash(text), target, variables));
        }
      }
    }
    boolean ambiguous = job.isEmpty() && found.size() > 1;
    if (found.isEmpty() || ambiguous || (job.isEmpty() && query.isEmpty())) {
      throw new TidemillException(
              ErrorCode.UNKNOWN_NAME,
              (ambiguous
                      ? "Several jobs have a query of that name; name the job too."
                      : "The event names no query of the deployed jobs.")
                  + query.map(q -> Nearest.hint(q, seen)).orElse(""))
          .with("query", query.orElse(""))
          .with("job", job.orElse(""))
          .with("folder", folder.location());
    }
    return found;
  }

  private static List<String> targets(JobText text, Map<String, String> variables) {
    // References and variables are not needed to know the names.
    Variables unresolved =
        new Variables(variables, name -> "", Map.of("secret", name -> "", "ssm", name -> ""));
    JobFile file = JobParser.parse(text, unresolved);
    return file.all(Statement.Insert.class).stream().map(Statement.Insert::sink).toList();
  }

  /**
   * Compiles a query. {@code CHECKPOINT_MISMATCH} if the folder's text is not the one that is asked
   * for.
   */
  public QueryPlan plan(JobReference reference) {
    String known = texts.getOrDefault(reference.job(), "");
    boolean isKnown = hash(known).equals(reference.textHash());
    String text = isKnown ? known : text(reference.job());
    if (!isKnown && !hash(text).equals(reference.textHash())) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_MISMATCH,
              "The function finds another text of the job than the orchestrator; deploy both, or"
                  + " trigger the query again.")
          .with("job", reference.job());
    }
    Variables variables = new Variables(reference.variables(), environment, references.resolvers());
    return LocalJob.compile(new JobText(reference.job(), text), variables, connectors).stream()
        .filter(plan -> plan.name().equalsIgnoreCase(reference.query()))
        .findFirst()
        .orElseThrow(
            () ->
                new TidemillException(ErrorCode.UNKNOWN_NAME, "The job has no such query.")
                    .with("job", reference.job())
                    .with("query", reference.query()));
  }

  private String text(String name) {
    Optional<String> text = folder.text(name);
    if (text.isEmpty()) {
      throw new TidemillException(
              ErrorCode.UNKNOWN_NAME,
              "There is no such job in the folder of jobs." + Nearest.hint(name, folder.names()))
          .with("job", name)
          .with("folder", folder.location());
    }
    texts.put(name, text.get());
    return text.get();
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "SHA-256 is missing from this Java.", e);
    }
  }
}

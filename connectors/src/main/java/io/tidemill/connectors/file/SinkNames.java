package io.tidemill.connectors.file;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.task.TaskId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The names a file sink uses below its target. All that is not data is below {@code _tidemill/},
 * and no staged name ends like data, so a plain listing shows committed files only.
 *
 * @param writer tells queries that write to one target apart: the start of a hash of the query id
 */
record SinkNames(String writer) {
  static SinkNames of(QueryId query) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(query.value().getBytes(StandardCharsets.UTF_8));
      return new SinkNames(HexFormat.of().formatHex(hash, 0, 4));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * The name of a published file, the same in every attempt.
   *
   * @param number number of the file within the task and its directory; 0 is left out
   */
  String published(TaskId task, long number, String extension) {
    String stage = task.stage() == TaskId.WHOLE_BATCH ? "all" : Integer.toString(task.stage());
    return String.format(
        Locale.ROOT,
        "part-%s-%010d-%s-%d%s-%s.%s",
        task.timeline(),
        task.batch().value(),
        stage,
        task.part(),
        number == 0 ? "" : "-" + number,
        writer,
        extension);
  }

  /** Where all staged files of the query are. */
  String staging() {
    return "_tidemill/staging/" + writer + "/";
  }

  /** Where a file of an attempt waits for the commit. */
  String staged(TaskId task, AttemptId attempt, int number) {
    return staging() + task.path() + "-" + attempt + "/" + number + ".staged";
  }

  /** Which checkpoint a query of that name writes with. */
  static String claim(String queryName) {
    return "_tidemill/query/" + queryName.replaceAll("[^A-Za-z0-9_-]", "_") + ".json";
  }
}

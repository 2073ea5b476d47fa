package io.tidemill.query.job;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.List;

/**
 * A SELECT as written, and as given to DuckDB's parser: the name of Spark's function {@code
 * window(…)} and of its column {@code window} is quoted, since the word is reserved in DuckDB.
 */
public final class QueryText {
  private final JobText job;
  private final int offset;
  private final String sql;
  private final List<Integer> quotes;

  private QueryText(JobText job, int offset, String sql, List<Integer> quotes) {
    this.job = job;
    this.offset = offset;
    this.sql = sql;
    this.quotes = quotes;
  }

  /** The part of a job from one offset to another. */
  static QueryText of(JobText job, int from, int to) {
    String written = job.text().substring(from, to);
    List<Token> tokens = Lexer.tokens(new JobText(job.name(), written));
    StringBuilder sql = new StringBuilder(written);
    List<Integer> quotes = new ArrayList<>();
    int shift = 0;
    for (int i = 0; i + 1 < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.isWord("window") && !isClause(tokens, i)) {
        sql.insert(token.start() + shift, '"').insert(token.end() + shift + 1, '"');
        quotes.add(token.start() + shift);
        quotes.add(token.end() + shift + 1);
        shift += 2;
      }
    }
    return new QueryText(job, from, sql.toString(), quotes);
  }

  /** Whether a word WINDOW starts the clause that names analytic windows: WINDOW name AS (…. */
  private static boolean isClause(List<Token> tokens, int at) {
    return at + 3 < tokens.size()
        && tokens.get(at + 1).isName()
        && tokens.get(at + 2).isWord("as")
        && tokens.get(at + 3).isSymbol("(");
  }

  /** A query that stands in no job file, e.g. one built through the Java API. */
  public static QueryText of(String name, String sql) {
    return of(new JobText(name, sql), 0, sql.length());
  }

  /** The text for DuckDB. */
  public String sql() {
    return sql;
  }

  /** An error at a position of {@link #sql}, shown where it stands in the job. */
  public TidemillException error(ErrorCode code, long sqlPosition, long length, String message) {
    int position = (int) Math.max(0, Math.min(sqlPosition, sql.length()));
    long before = quotes.stream().filter(q -> q < position).count();
    return job.error(code, offset + position - (int) before, (int) Math.max(1, length), message);
  }
}

package io.tidemill.api;

import io.tidemill.connectors.Connectors;
import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.Variables;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A {@link StreamingJob} from a jar, with the queries it starts, which its caller runs. Close it
 * when they have ended: until then they may need classes of the jar.
 */
public final class JobProgram implements AutoCloseable {
  private final JobJar jar;
  private final Session session;
  private final List<PlannedQuery> queries;

  private JobProgram(JobJar jar, Session session, List<PlannedQuery> queries) {
    this.jar = jar;
    this.session = session;
    this.queries = queries;
  }

  /**
   * What a program's session works with.
   *
   * @param console where console sinks print
   * @param variables what {@link Session#variable} knows
   * @param checkpoint the session's {@code checkpointLocation} unless the program sets another
   */
  public record Surroundings(
      InstantSource clock,
      Ids ids,
      PrintStream console,
      Variables variables,
      Optional<String> checkpoint) {}

  /**
   * Loads the class, and lets it define its queries, which are compiled but not run.
   *
   * <p>Errors: {@code INVALID_OPTION} if there is no such jar, or several jobs in it and no class
   * given; {@code UNKNOWN_NAME} if it has no such class or no job; {@code ILLEGAL_QUERY} if the
   * class is no job, cannot be made or starts no query; {@code QUERY_FAILED} if it throws; and
   * those of queries that are not valid, with the line of the program in the field {@code in}.
   *
   * @param className full name; empty for the only job of the jar
   */
  public static JobProgram load(
      Path jarFile, Optional<String> className, Surroundings surroundings) {
    JobJar jar = JobJar.open(jarFile);
    try {
      String name = className.orElseGet(jar::onlyJob);
      return defined(jar, jar.job(name), name, surroundings);
    } catch (RuntimeException e) {
      jar.close();
      throw e;
    }
  }

  private static JobProgram defined(
      JobJar jar, StreamingJob job, String className, Surroundings surroundings) {
    CollectedQueries collected = new CollectedQueries();
    SessionBuilder builder =
        new SessionBuilder(
            surroundings.clock(),
            surroundings.ids(),
            surroundings.console(),
            surroundings.variables());
    surroundings.checkpoint().ifPresent(c -> builder.config(Settings.CHECKPOINT, c));
    Session session = new Session(builder, Optional.of(collected));
    try {
      job.define(session);
      if (collected.queries().isEmpty()) {
        throw new TidemillException(
                ErrorCode.ILLEGAL_QUERY,
                "The job starts no query; end one with writeStream()…start().")
            .with("class", className);
      }
      return new JobProgram(jar, session, collected.queries());
    } catch (TidemillException e) {
      session.close();
      throw JobJar.placed(e, e);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      session.close();
      throw JobJar.failed("The job's define method failed.", className, e);
    }
  }

  /** The queries in the order in which the job started them. */
  public List<PlannedQuery> queries() {
    return queries;
  }

  /** What the queries must be run with: it knows the job's functions and rows in memory. */
  public Connectors connectors() {
    return session.connectors();
  }

  /** Listeners that the job added, to be told of its queries. */
  public List<StreamingQueryListener> listeners() {
    return session.streams().listListeners();
  }

  @Override
  public void close() {
    session.close();
    jar.close();
  }
}

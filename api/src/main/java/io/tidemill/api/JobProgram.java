package io.tidemill.api;

import io.tidemill.connectors.Connectors;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A {@link StreamingJob} from a jar, with the queries it starts, which its caller runs. Close it
 * when they have ended: until then they may need classes of the jar.
 */
public final class JobProgram implements AutoCloseable {
  private final URLClassLoader classes;
  private final Session session;
  private final List<PlannedQuery> queries;

  private JobProgram(URLClassLoader classes, Session session, List<PlannedQuery> queries) {
    this.classes = classes;
    this.session = session;
    this.queries = queries;
  }

  /** What a program's session works with. */
  public record Surroundings(InstantSource clock, Ids ids, PrintStream console) {}

  /**
   * Loads the class, and lets it define its queries, which are compiled but not run.
   *
   * <p>Errors: {@code INVALID_OPTION} if there is no such jar, {@code UNKNOWN_NAME} if it has no
   * such class, {@code ILLEGAL_QUERY} if the class is no job or starts no query, {@code
   * QUERY_FAILED} if it throws; and those of queries that are not valid.
   */
  public static JobProgram load(Path jar, String className, Surroundings surroundings) {
    if (!Files.isRegularFile(jar)) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION, "There is no such jar file; build it first.")
          .with("jar", jar);
    }
    URLClassLoader classes = new URLClassLoader(new URL[] {url(jar)}, parent());
    try {
      StreamingJob job = instance(classes, className);
      return defined(job, className, classes, surroundings);
    } catch (RuntimeException e) {
      close(classes);
      throw e;
    }
  }

  private static ClassLoader parent() {
    return StreamingJob.class.getClassLoader();
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (IOException e) {
      throw new TidemillException(ErrorCode.INVALID_OPTION, "The jar's path is no URL.", e)
          .with("jar", jar);
    }
  }

  private static StreamingJob instance(URLClassLoader classes, String className) {
    try {
      Class<?> found = Class.forName(className, true, classes);
      if (!StreamingJob.class.isAssignableFrom(found)) {
        throw new TidemillException(
                ErrorCode.ILLEGAL_QUERY,
                "The class is no StreamingJob; let it implement that interface.")
            .with("class", className);
      }
      return (StreamingJob) found.getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw new TidemillException(
              ErrorCode.UNKNOWN_NAME, "The jar has no such class; give its full name.", e)
          .with("class", className);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY,
              "The class cannot be made; it must be public, with a public constructor without"
                  + " arguments, and find all classes it needs in the jar.",
              e)
          .with("class", className);
    }
  }

  private static JobProgram defined(
      StreamingJob job, String className, URLClassLoader classes, Surroundings surroundings) {
    CollectedQueries collected = new CollectedQueries();
    SessionBuilder builder =
        new SessionBuilder(surroundings.clock(), surroundings.ids(), surroundings.console());
    Session session = new Session(builder, Optional.of(collected));
    try {
      job.define(session);
      if (collected.queries().isEmpty()) {
        throw new TidemillException(
                ErrorCode.ILLEGAL_QUERY,
                "The job starts no query; end one with writeStream()…start().")
            .with("class", className);
      }
      return new JobProgram(classes, session, collected.queries());
    } catch (TidemillException e) {
      session.close();
      throw e;
    } catch (RuntimeException | LinkageError e) {
      session.close();
      throw new TidemillException(ErrorCode.QUERY_FAILED, "The job's define method failed.", e)
          .with("class", className)
          .with("error", e);
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
  public List<io.tidemill.orchestrator.StreamingQueryListener> listeners() {
    return session.streams().listListeners();
  }

  private static void close(URLClassLoader classes) {
    try {
      classes.close();
    } catch (IOException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A jar could not be closed.", e);
    }
  }

  @Override
  public void close() {
    session.close();
    close(classes);
  }
}

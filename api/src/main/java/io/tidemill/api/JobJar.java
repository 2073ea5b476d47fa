package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.Index;
import org.jboss.jandex.Indexer;

/** A jar with {@link StreamingJob}s, whose classes can be used until it is closed. */
final class JobJar implements AutoCloseable {
  /** Name of the class loader, by which stack frames of the jar's classes are known. */
  private static final String LOADER = "job";

  private final Path file;
  private final URLClassLoader classes;

  private JobJar(Path file, URLClassLoader classes) {
    this.file = file;
    this.classes = classes;
  }

  /**
   * Opens a jar.
   *
   * @throws TidemillException INVALID_OPTION if there is none or it is no jar
   */
  static JobJar open(Path file) {
    if (!Files.exists(file)) {
      throw unusable("There is no such jar file; build it first.", file, null);
    }
    if (!Files.isRegularFile(file)) {
      throw unusable("The jar is no file; name the jar itself.", file, null);
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      URL url = file.toUri().toURL();
      return new JobJar(
          file, new URLClassLoader(LOADER, new URL[] {url}, StreamingJob.class.getClassLoader()));
    } catch (MalformedURLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "The jar's path is no URL.", e)
          .with("jar", file);
    } catch (IOException e) {
      throw unusable("The file is no jar, or a damaged one; build it again.", file, e);
    }
  }

  private static TidemillException unusable(String message, Path file, IOException cause) {
    return new TidemillException(ErrorCode.INVALID_OPTION, message, cause).with("jar", file);
  }

  /** The only job of the jar; several, or none, are an error. */
  String onlyJob() {
    List<String> jobs = jobs(index());
    if (jobs.isEmpty()) {
      throw new TidemillException(
              ErrorCode.UNKNOWN_NAME,
              "The jar has no StreamingJob; let a public class in it implement that interface.")
          .with("jar", file);
    }
    if (jobs.size() > 1) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION, "The jar has several jobs; say which with --class NAME.")
          .with("jar", file)
          .with("jobs", String.join(", ", jobs));
    }
    return jobs.get(0);
  }

  /** Makes the job of a class, given by its full name. */
  StreamingJob job(String className) {
    try {
      Class<?> found = Class.forName(className, false, classes);
      if (!StreamingJob.class.isAssignableFrom(found)) {
        throw new TidemillException(
                ErrorCode.ILLEGAL_QUERY,
                "The class is no StreamingJob; let it implement that interface, or name another.")
            .with("class", className)
            .with("jobs", String.join(", ", jobs(index())));
      }
      return (StreamingJob) found.getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw unknown(className, e);
    } catch (InvocationTargetException | ExceptionInInitializerError e) {
      throw failed("The job's constructor failed.", className, e.getCause());
    } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY,
              "The job cannot be made: it must be a public class, not an abstract one, with a"
                  + " public constructor without arguments.",
              e)
          .with("class", className);
    } catch (LinkageError e) {
      throw unloadable(className, e);
    }
  }

  private TidemillException unknown(String className, ClassNotFoundException cause) {
    Index index = index();
    List<String> jobs = jobs(index);
    TreeSet<String> known = new TreeSet<>();
    index.getKnownClasses().forEach(c -> known.add(c.name().toString()));
    String hint =
        jobs.stream()
            .filter(job -> job.endsWith("." + className))
            .findFirst()
            .map(job -> " Did you mean '" + job + "'?")
            .or(() -> Optional.of(Nearest.hint(className, jobs)).filter(h -> !h.isEmpty()))
            .orElseGet(() -> Nearest.hint(className, known));
    return new TidemillException(
            ErrorCode.UNKNOWN_NAME, "The jar has no such class; give its full name." + hint, cause)
        .with("class", className)
        .with("jar", file)
        .with("jobs", jobs.isEmpty() ? "none" : String.join(", ", jobs));
  }

  private static TidemillException unloadable(String className, LinkageError cause) {
    String message =
        cause instanceof UnsupportedClassVersionError
            ? "The job is compiled for a newer Java than runs here; compile it with --release "
                + Runtime.version().feature()
                + "."
            : "A class that the job needs is not in the jar or does not fit; put it in.";
    return new TidemillException(ErrorCode.ILLEGAL_QUERY, message, cause)
        .with("class", className)
        .with("error", cause);
  }

  /** What code of the jar threw, with the place in it. */
  static TidemillException failed(String message, String className, Throwable cause) {
    return placed(
        new TidemillException(ErrorCode.QUERY_FAILED, message, cause)
            .with("class", className)
            .with("error", cause),
        cause);
  }

  /** Adds the line of the jar's code that an error comes from. */
  static TidemillException placed(TidemillException error, Throwable cause) {
    for (StackTraceElement frame : cause.getStackTrace()) {
      if (LOADER.equals(frame.getClassLoaderName())) {
        return error.with(
            "in",
            new StackTraceElement(
                frame.getClassName(),
                frame.getMethodName(),
                frame.getFileName(),
                frame.getLineNumber()));
      }
    }
    return error;
  }

  private static List<String> jobs(Index index) {
    return index.getAllKnownImplementations(DotName.createSimple(StreamingJob.class)).stream()
        .filter(c -> !c.isInterface() && !Modifier.isAbstract(c.flags()))
        .filter(
            c ->
                c.nestingType() == ClassInfo.NestingType.TOP_LEVEL
                    || c.nestingType() == ClassInfo.NestingType.INNER)
        .map(c -> c.name().toString())
        .sorted()
        .toList();
  }

  private Index index() {
    Indexer indexer = new Indexer();
    try (JarFile jar = new JarFile(file.toFile())) {
      List<JarEntry> entries =
          jar.stream()
              .filter(e -> e.getName().endsWith(".class") && !e.getName().startsWith("META-INF/"))
              .toList();
      for (JarEntry entry : entries) {
        try (InputStream bytes = jar.getInputStream(entry)) {
          indexer.index(bytes);
        }
      }
      return indexer.complete();
    } catch (IOException e) {
      throw unusable("The file is no jar, or a damaged one; build it again.", file, e);
    }
  }

  @Override
  public void close() {
    try {
      classes.close();
    } catch (IOException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A jar could not be closed.", e)
          .with("jar", file);
    }
  }
}

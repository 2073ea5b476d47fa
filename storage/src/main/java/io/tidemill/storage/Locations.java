package io.tidemill.storage;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens what texts in jobs, on the command line and in environments name: a path ({@code out/x},
 * {@code file:/out/x}), or {@code SCHEME://…}. A scheme that nobody knows is {@code
 * INVALID_OPTION}. Thread-safe.
 */
public final class Locations {
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://.*");
  private static final String FILE = "file";

  /** A kind of location. Thread-safe; the caller closes what it opens. */
  public interface Scheme {
    /** Blobs below a location. */
    Blob blob(String location);

    /** Objects below a location, which may be those of others; paths need no store for that. */
    ListedBlob files(String location);

    /** A checkpoint at a location. */
    Store store(String location);
  }

  private final Map<String, Scheme> schemes;

  /**
   * @param schemes by name, in small letters; that of paths is {@code file}
   */
  public Locations(Map<String, Scheme> schemes) {
    this.schemes = Map.copyOf(schemes);
  }

  /** The scheme written in a location, in small letters; empty for a path. */
  public static Optional<String> scheme(String location) {
    Matcher matcher = SCHEME.matcher(location);
    return matcher.matches()
        ? Optional.of(matcher.group(1).toLowerCase(Locale.ROOT)).filter(s -> !s.equals(FILE))
        : Optional.empty();
  }

  /**
   * The path of a location without a scheme. One that this machine's locale has no name for is
   * {@code INVALID_OPTION}.
   */
  public static Path path(String location) {
    try {
      return Path.of(location.replaceFirst("^file:(//)?", ""));
    } catch (InvalidPathException e) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "A path cannot be written in the encoding of this process. If it has letters beyond"
                  + " ASCII, run in a UTF-8 locale, e.g. with LC_ALL=C.UTF-8.",
              e)
          .with("path", location);
    }
  }

  /** The location of a name below another. */
  public static String child(String location, String name) {
    if (scheme(location).isEmpty()) {
      return path(location).resolve(name).toString();
    }
    return location.endsWith("/") ? location + name : location + "/" + name;
  }

  /** Blobs below a location. */
  public Blob blob(String location) {
    return known(location).blob(location);
  }

  /** Objects below a location with a scheme, which may be those of others. */
  public ListedBlob files(String location) {
    return known(location).files(location);
  }

  /** A checkpoint at a location. */
  public Store store(String location) {
    return known(location).store(location);
  }

  private Scheme known(String location) {
    String name = scheme(location).orElse(FILE);
    Scheme scheme = schemes.get(name);
    if (scheme == null) {
      List<String> names = new ArrayList<>(schemes.keySet());
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "A location is of a kind that cannot be used here: write a path, or one of "
                  + String.join(", ", names.stream().filter(n -> !n.equals(FILE)).sorted().toList())
                  + "."
                  + Nearest.hint(name, names))
          .with("scheme", name);
    }
    return scheme;
  }
}

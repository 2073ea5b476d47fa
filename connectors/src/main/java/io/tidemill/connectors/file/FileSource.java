package io.tidemill.connectors.file;

import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceLog;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Plans batches of files. A file is identified by its path alone: once read it is never read again,
 * even if it is rewritten. Spark 4.2: reference 2.1.
 */
final class FileSource implements Source {
  /** Listings kept for plans to come: the newest, and the one before it. */
  private static final int LISTINGS_MAX = 2;

  private final FileColumns columns;
  private final FileSourceOptions options;
  private final FileAccess access;
  private final SeenFiles seen;
  private final CleanUp cleanUp;
  private final Optional<SinkManifests> manifests;
  private final LinkedHashMap<Ceiling, Listing> listings = new LinkedHashMap<>();
  private long listingsMade;

  FileSource(FileColumns columns, FileAccess access, SourceLog log) {
    this.columns = columns;
    this.options = columns.options();
    this.access = access;
    this.seen = new SeenFiles(log, options);
    this.cleanUp = new CleanUp(access, options);
    this.manifests = options.pattern().plainPath().map(p -> new SinkManifests(access, p));
    if (!cleanUp.isOff() && isSinkOutput()) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "The option 'cleanSource' cannot be used on the output of a file sink: its manifests"
                  + " would name files that are gone.")
          .with("path", options.pattern().text());
    }
  }

  private boolean isSinkOutput() {
    return manifests.map(SinkManifests::exist).orElse(false);
  }

  @Override
  public SourcePosition initial() {
    return FilePosition.START.position();
  }

  @Override
  public SourcePosition latest(SourcePosition known) {
    List<FoundFile> files = list();
    Ceiling ceiling = Ceiling.of(++listingsMade, files);
    listings.put(ceiling, Listing.of(files));
    if (listings.size() > LISTINGS_MAX) {
      listings.remove(listings.keySet().iterator().next());
    }
    return ceiling.position();
  }

  private List<FoundFile> list() {
    List<FoundFile> files = access.list(options.pattern());
    if (isSinkOutput()) {
      Set<String> published = manifests.orElseThrow().files();
      return files.stream().filter(f -> published.contains(f.path())).toList();
    }
    return files;
  }

  @Override
  public Range plan(SourcePosition from, SourcePosition latest, boolean limits, long nowMillis) {
    FilePosition start = FilePosition.of(from);
    Listing listing = upTo(latest);
    if (start.readAll().equals(Optional.of(listing.hash()))) {
      return nothing(from); // Without a look at the notes, each of which costs a request.
    }
    List<FoundFile> fresh = unread(start, listing);
    List<FoundFile> admitted = limits ? admit(fresh) : fresh;
    if (admitted.isEmpty()) {
      return nothing(from);
    }
    FilePosition end = seen.add(start, admitted);
    if (admitted.size() == fresh.size()) {
      end = end.afterAllOf(listing.hash());
    }
    List<SourceSplit> splits =
        FileSplit.group(admitted.stream().map(this::part).toList(), columns.bytesPerRow());
    long rows = splits.stream().mapToLong(SourceSplit::estimatedRows).sum();
    return new Range(end.position(), splits, rows, Optional.empty());
  }

  private static Range nothing(SourcePosition from) {
    return new Range(from, List.of(), 0, Optional.empty());
  }

  /** Files to read, in the order in which to read them. */
  private List<FoundFile> unread(FilePosition position, Listing listing) {
    List<FoundFile> ordered = new ArrayList<>(listing.files());
    ordered.sort(options.latestFirst() ? FoundFile.LATEST_FIRST : FoundFile.OLDEST_FIRST);
    List<FoundFile> fresh = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (FoundFile file : ordered) {
      boolean first = !options.fileNameOnly() || names.add(file.name());
      if (first && seen.isNew(file, position)) {
        fresh.add(file);
      }
    }
    return fresh;
  }

  /** The files of a listing; one of another instance is made anew up to its newest file. */
  private Listing upTo(SourcePosition latest) {
    if (!Ceiling.isCeiling(latest)) {
      return Listing.of(List.of()); // A plain position: nothing beyond what has been read.
    }
    Ceiling ceiling = Ceiling.of(latest);
    Listing listed = listings.get(ceiling);
    return listed != null
        ? listed
        : Listing.of(list().stream().filter(f -> f.modifiedMillis() <= ceiling.newest()).toList());
  }

  private List<FoundFile> admit(List<FoundFile> fresh) {
    if (options.maxFiles().isPresent()) {
      return fresh.subList(0, (int) Math.min(fresh.size(), options.maxFiles().getAsLong()));
    }
    if (options.maxBytes().isEmpty() || fresh.isEmpty()) {
      return fresh;
    }
    long bytes = fresh.get(0).size();
    int files = 1;
    while (files < fresh.size()
        && bytes + fresh.get(files).size() <= options.maxBytes().getAsLong()) {
      bytes += fresh.get(files++).size();
    }
    return fresh.subList(0, files);
  }

  private FileSplit.Part part(FoundFile file) {
    Map<String, String> all = Partitions.of(options.pattern(), file.path());
    Map<String, String> values = new LinkedHashMap<>();
    for (String column : columns.partitions()) {
      if (!all.containsKey(column)) {
        throw new TidemillException(
                ErrorCode.INVALID_OPTION,
                "A file is in no directory name=value for a partition column: move it, or correct"
                    + " the option 'partitionBy'."
                    + Nearest.hint(column, all.keySet()))
            .with("column", column)
            .with("file", file.path());
      }
      values.put(column, all.get(column));
    }
    for (String name : options.pattern().isRecursive() ? Set.<String>of() : all.keySet()) {
      if (!values.containsKey(name) && columns.isDeclared(name)) {
        throw new TidemillException(
                ErrorCode.INVALID_OPTION,
                "A file is in a directory name=value for a declared column that is no partition"
                    + " column of this query yet: name it in the option 'partitionBy'.")
            .with("column", name)
            .with("file", file.path());
      }
    }
    return new FileSplit.Part(file.path(), file.size(), file.modifiedMillis(), values);
  }

  @Override
  public void committed(SourcePosition end) {
    FilePosition position = FilePosition.of(end);
    seen.forgetBefore(position);
    if (!cleanUp.isOff()) {
      Set<FoundFile> listed = new TreeSet<>(FoundFile.OLDEST_FIRST);
      listings.values().forEach(listing -> listed.addAll(listing.files()));
      if (listings.isEmpty()) {
        listed.addAll(list());
      }
      cleanUp.clean(listed, seen.upTo(position));
    }
  }

  @Override
  public Map<String, String> metrics(SourcePosition end, SourcePosition latest) {
    List<FoundFile> outstanding = unread(FilePosition.of(end), upTo(latest));
    long bytes = outstanding.stream().mapToLong(FoundFile::size).sum();
    return Map.of(
        "numFilesOutstanding", Integer.toString(outstanding.size()),
        "numBytesOutstanding", Long.toString(bytes));
  }

  @Override
  public String description() {
    return columns.format().connector() + "[" + options.pattern().text() + "]";
  }

  @Override
  public void close() {}
}

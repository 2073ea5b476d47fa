package io.tidemill.connectors.file;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.protocol.Guarantee;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.storage.Blob;
import java.util.Set;
import java.util.function.Function;

/** Sinks of files: {@code parquet}, {@code json} and {@code csv}. */
public final class FileSinkConnector implements SinkConnector {
  private final FileFormat format;
  private final Function<String, Blob> targets;

  /**
   * @param format any but text
   * @param targets opens a location as written in a job; what it returns is closed with the writer
   *     or publisher. Staged and published names are in the same store, so publishing is a copy
   *     within it
   */
  public FileSinkConnector(FileFormat format, Function<String, Blob> targets) {
    if (format == FileFormat.TEXT) {
      throw new IllegalArgumentException("there is no sink for text files");
    }
    this.format = format;
    this.targets = targets;
  }

  @Override
  public String name() {
    return format.connector();
  }

  @Override
  public void validate(Options options, Schema rows) {
    FileSinkOptions.of(options, rows, format);
  }

  @Override
  public Set<OutputMode> modes() {
    return Set.of(OutputMode.APPEND);
  }

  @Override
  public Guarantee guarantee(Options options) {
    return Guarantee.EXACTLY_ONCE_BY_NAME;
  }

  @Override
  public SinkWriter writer(Options options, Schema rows, SinkContext context) {
    FileSinkOptions read = FileSinkOptions.of(options, rows, format);
    return new FileSinkWriter(read, SinkNames.of(context.query()), targets.apply(read.path()));
  }

  @Override
  public SinkPublisher publisher(Options options, Schema rows, SinkContext context) {
    FileSinkOptions read = FileSinkOptions.of(options, rows, format);
    return new FileSinkPublisher(
        context, SinkNames.of(context.query()), targets.apply(read.path()));
  }
}

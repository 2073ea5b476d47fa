package io.tidemill.lambda.job;

import io.tidemill.storage.Blob;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Jobs that are objects, e.g. on S3. */
public final class StoredJobFolder implements JobFolder {
  private final Blob folder;

  /**
   * @param folder stays open
   */
  public StoredJobFolder(Blob folder) {
    this.folder = folder;
  }

  @Override
  public List<String> names() {
    return folder.list("", "", JOBS_MAX).stream()
        .filter(key -> key.endsWith(".sql") && key.indexOf('/') < 0)
        .toList();
  }

  @Override
  public Optional<String> text(String name) {
    return folder.get(name).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public String location() {
    return folder.location();
  }
}

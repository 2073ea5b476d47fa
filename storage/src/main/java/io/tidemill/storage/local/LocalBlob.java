package io.tidemill.storage.local;

import io.tidemill.protocol.Ids;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Keys;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Objects as files of a directory, which any number of processes may share. A file is written under
 * a temporary name and then hard-linked to its key, which fails if the key is taken; so a reader
 * never sees half an object. The directory is created by the first write.
 */
public final class LocalBlob implements Blob {
  /** Tries to link a file while others remove the folder it goes to because it is empty. */
  private static final int LINK_TRIES_MAX = 16;

  /** Windows cannot sync a directory; its file systems log the change of a name themselves. */
  private static final boolean DIRECTORIES_SYNC = java.io.File.separatorChar == '/';

  private final Path root;
  private final Durability durability;
  private final Staging staging;

  /**
   * @param root the directory
   * @param ids for names of temporary files; must differ between processes
   * @param clock tells which temporary files are old enough to belong to dead processes
   */
  public LocalBlob(Path root, Ids ids, InstantSource clock, Durability durability) {
    this.root = root.toAbsolutePath().normalize();
    this.durability = durability;
    this.staging = new Staging(this.root, ids, clock, durability);
  }

  @Override
  public PutOutcome putIfAbsent(String key, byte[] bytes) {
    Path target = path(key);
    try {
      return linkAndDelete(target, staging.write(bytes));
    } catch (IOException e) {
      throw Failures.write(root, key, e);
    }
  }

  @Override
  public PutOutcome putFileIfAbsent(String key, Path file) {
    Path target = path(key);
    try {
      staging.sync(file);
      PutOutcome outcome = linkOrCopy(target, file);
      if (outcome == PutOutcome.COMMITTED) {
        discard(file);
      }
      return outcome;
    } catch (IOException e) {
      throw Failures.write(root, key, e);
    }
  }

  private PutOutcome linkOrCopy(Path target, Path file) throws IOException {
    try {
      return link(target, file);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException e) {
      // Another file system, perhaps: no exception of its own says so.
      return linkAndDelete(target, staging.copy(file));
    }
  }

  private PutOutcome linkAndDelete(Path target, Path staged) throws IOException {
    try {
      return link(target, staged);
    } finally {
      discard(staged);
    }
  }

  private static void discard(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // What became of the object is decided, and no error may hide it. The next sweep removes a
      // name left over.
      return;
    }
  }

  @Override
  public PutOutcome copyIfAbsent(String fromKey, String toKey) {
    Path from = localFile(fromKey).orElseThrow(() -> Failures.missingSource(root, fromKey));
    Path target = path(toKey);
    try {
      return linkShared(target, from);
    } catch (IOException e) {
      throw Failures.write(root, toKey, e);
    }
  }

  /** Links a file that only this call can have linked. */
  private PutOutcome link(Path target, Path file) throws IOException {
    PutOutcome outcome = linkShared(target, file);
    // A network file system may have linked it, lost the reply and asked again.
    return outcome == PutOutcome.CONFLICT && isSame(target, file)
        ? syncFolder(target.getParent())
        : outcome;
  }

  private PutOutcome linkShared(Path target, Path file) throws IOException {
    for (int tried = 1; ; tried++) {
      try {
        createFolders(target.getParent());
        Files.createLink(target, file);
        return syncFolder(target.getParent());
      } catch (FileAlreadyExistsException e) {
        return PutOutcome.CONFLICT;
      } catch (NoSuchFileException e) {
        // The folder was removed as empty just before the link.
        if (tried == LINK_TRIES_MAX || !Files.exists(file)) {
          throw e;
        }
      }
    }
  }

  private static boolean isSame(Path target, Path file) throws IOException {
    try {
      return Files.isSameFile(target, file);
    } catch (NoSuchFileException e) {
      // Deleted again since, by its owner.
      return false;
    }
  }

  private void createFolders(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      createFolders(parent);
    }
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      // One look: the folder may be removed as empty meanwhile, which is the caller's to retry.
      if (!Files.readAttributes(folder, BasicFileAttributes.class).isDirectory()) {
        throw new NotDirectoryException(folder.toString());
      }
    }
    if (parent != null && parent.startsWith(root)) {
      force(parent);
    }
  }

  /** After the link readers see the object, so an error here is not a "did not happen". */
  private PutOutcome syncFolder(Path folder) {
    try {
      force(folder);
      return PutOutcome.COMMITTED;
    } catch (IOException e) {
      return PutOutcome.UNKNOWN;
    }
  }

  private void force(Path folder) throws IOException {
    if (durability == Durability.SYNC && DIRECTORIES_SYNC) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  @Override
  public Optional<byte[]> get(String key) {
    Path file = path(key);
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (Files.isDirectory(file)) {
        return Optional.empty();
      }
      throw Failures.read(root, key, e);
    }
  }

  @Override
  public Optional<Path> localFile(String key) {
    return size(key).map(bytes -> path(key));
  }

  @Override
  public Optional<Long> size(String key) {
    try {
      BasicFileAttributes found = Files.readAttributes(path(key), BasicFileAttributes.class);
      return found.isRegularFile() ? Optional.of(found.size()) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw Failures.read(root, key, e);
    }
  }

  @Override
  public List<String> list(String prefix, String startAfter, int limit) {
    try {
      return Listing.of(root, prefix, startAfter, limit);
    } catch (IOException e) {
      throw Failures.read(root, prefix, e);
    }
  }

  @Override
  public void delete(String key) {
    Path file = path(key);
    try {
      if (Files.deleteIfExists(file)) {
        deleteEmptyFolders(file.getParent());
      }
    } catch (IOException e) {
      throw Failures.write(root, key, e);
    }
  }

  private void deleteEmptyFolders(Path from) throws IOException {
    try {
      for (Path folder = from; !folder.equals(root); folder = folder.getParent()) {
        Files.deleteIfExists(folder);
      }
    } catch (DirectoryNotEmptyException e) {
      // Others still need it, and with it all folders above.
      return;
    }
  }

  @Override
  public String location() {
    return root.toString();
  }

  @Override
  public void close() {}

  private Path path(String key) {
    return path(root, key);
  }

  /** The file of a key; an error if it can have none in this process. */
  static Path path(Path root, String key) {
    String name = Keys.checked(key);
    try {
      return root.resolve(name);
    } catch (InvalidPathException e) {
      throw Failures.name(root, key, e);
    }
  }
}

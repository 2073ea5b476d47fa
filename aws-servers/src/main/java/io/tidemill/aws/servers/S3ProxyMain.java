package io.tidemill.aws.servers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;

/**
 * Serves S3's interface until standard input ends, which it does when the parent process is gone.
 * The first line of output is "ready PORT". Arguments: key id, secret, and a directory for the
 * objects; without it they are in memory.
 */
final class S3ProxyMain {
  private S3ProxyMain() {}

  public static void main(String[] arguments) throws Exception {
    S3Proxy server =
        S3Proxy.builder()
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, arguments[0], arguments[1])
            .blobStore(store(arguments))
            .build();
    server.start();
    System.out.println("ready " + server.getPort());
    while (System.in.read() >= 0) {
      // Nothing is sent; only the end counts.
    }
    Runtime.getRuntime().halt(0);
  }

  private static BlobStore store(String[] arguments) throws IOException {
    if (arguments.length < 3) {
      return new TransientNio2BlobStore();
    }
    return new FilesystemNio2BlobStore(Files.createDirectories(Path.of(arguments[2])).toString());
  }
}

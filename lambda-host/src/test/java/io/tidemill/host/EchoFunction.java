package io.tidemill.host;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A function that does what its event says; runs in a process of its own. */
public final class EchoFunction implements RequestStreamHandler {
  private static final List<byte[]> HELD = new ArrayList<>();
  private int count;

  /** Packages this function. */
  static Path zipIn(Path directory) throws IOException {
    Path zip = directory.resolve("echo.zip");
    String entry = EchoFunction.class.getName().replace('.', '/') + ".class";
    try (OutputStream file = Files.newOutputStream(zip);
        ZipOutputStream entries = new ZipOutputStream(file)) {
      entries.putNextEntry(new ZipEntry(entry));
      entries.write(EchoFunction.class.getResourceAsStream("EchoFunction.class").readAllBytes());
    }
    return zip;
  }

  @Override
  public void handleRequest(InputStream event, OutputStream answer, Context context)
      throws IOException {
    String text = new String(event.readAllBytes(), StandardCharsets.UTF_8);
    count++;
    if (text.equals("\"fail\"")) {
      throw new IllegalStateException("as asked");
    }
    if (text.equals("\"hang\"")) {
      hang();
    }
    if (text.equals("\"exit\"")) {
      Runtime.getRuntime().halt(3);
    }
    if (text.equals("\"eat\"")) {
      while (HELD.size() < 1_000) {
        byte[] bytes = new byte[1 << 20];
        java.util.Arrays.fill(bytes, (byte) 1);
        HELD.add(bytes);
      }
    }
    if (text.equals("\"large\"")) {
      answer.write(new byte[7 << 20]);
      return;
    }
    answer.write(
        ("{\"count\":"
                + count
                + ",\"pid\":"
                + ProcessHandle.current().pid()
                + ",\"event\":"
                + text
                + ",\"arn\":\""
                + context.getInvokedFunctionArn()
                + "\",\"left\":"
                + context.getRemainingTimeInMillis()
                + ",\"greeting\":\""
                + System.getenv("GREETING")
                + "\",\"fileNames\":\""
                + System.getProperty("sun.jnu.encoding")
                + "\",\"directory\":\""
                + System.getProperty("user.dir")
                + "\",\"trace\":\""
                + System.getProperty("com.amazonaws.xray.traceHeader")
                + "\"}")
            .getBytes(StandardCharsets.UTF_8));
  }

  private static void hang() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

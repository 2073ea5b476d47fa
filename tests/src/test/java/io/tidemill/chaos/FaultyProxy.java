package io.tidemill.chaos;

import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.FaultSource.Call;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Between functions and S3 or DynamoDB: some requests are not passed on, some replies neither, and
 * some are refused as too many. A connection carries one request, so that nothing has to be
 * understood but where a request ends; signatures stay valid, since the bytes stay as they are.
 */
final class FaultyProxy implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?mi)^content-length: *(\\d+)");
  private static final Pattern TARGET = Pattern.compile("(?mi)^x-amz-target: *(\\S+)");
  private static final int HEAD_BYTES_MAX = 64 << 10;

  private final URI server;
  private final FaultSource faults;
  private final ServerSocket listening;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  FaultyProxy(URI server, FaultSource faults) throws IOException {
    this.server = server;
    this.faults = faults;
    this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + listening.getLocalPort());
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        threads.execute(() -> serve(client));
      } catch (IOException e) {
        if (!listening.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  /** A client that goes away, as one that is killed, or a server that does, ends a connection. */
  private void serve(Socket client) {
    try (client) {
      String head = head(client.getInputStream());
      if (head.isEmpty()) {
        return;
      }
      if (head.toLowerCase(Locale.ROOT).contains("expect: 100-continue")) {
        throw new IllegalStateException("clients are told not to wait for the go-ahead");
      }
      Matcher length = LENGTH.matcher(head);
      byte[] body = client.getInputStream().readNBytes(length.find() ? number(length) : 0);
      Fault fault = faults.next(kind(head), head.lines().findFirst().orElse(""));
      switch (fault) {
        case LOST_REQUEST -> {}
        case REFUSED -> client.getOutputStream().write(refusal(head));
        case LOST_REPLY -> pass(head, body);
        case RETRIED -> {
          pass(head, body);
          client.getOutputStream().write(pass(head, body));
        }
        case NONE -> client.getOutputStream().write(pass(head, body));
      }
      client.getOutputStream().flush();
    } catch (IOException e) {
      // The other side sees a connection that broke, which is what this is for.
      return;
    }
  }

  private static int number(Matcher length) {
    return Integer.parseInt(length.group(1));
  }

  /** The request line and the headers, with the empty line; empty if the client sends nothing. */
  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int last4 = 0;
    while (last4 != 0x0D0A0D0A) {
      int next = in.read();
      if (next < 0 || head.size() > HEAD_BYTES_MAX) {
        return "";
      }
      head.write(next);
      last4 = (last4 << 8) | next;
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** The server's reply to a request that says that it is the last of its connection. */
  private byte[] pass(String head, byte[] body) throws IOException {
    String last =
        head.replaceAll("(?mi)^connection:.*\r\n", "")
            .replaceFirst("\r\n", "\r\nConnection: close\r\n");
    try (Socket up = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
      up.getOutputStream().write(last.getBytes(StandardCharsets.ISO_8859_1));
      up.getOutputStream().write(body);
      up.getOutputStream().flush();
      return up.getInputStream().readAllBytes();
    }
  }

  private static Call kind(String head) {
    Matcher target = TARGET.matcher(head);
    String operation = target.find() ? target.group(1) : "";
    if (head.startsWith("DELETE") || operation.endsWith("DeleteItem")) {
      return Call.DELETE;
    }
    return head.startsWith("PUT") || operation.endsWith("PutItem") ? Call.CREATE : Call.READ;
  }

  /** As each service says that there are too many calls. */
  private static byte[] refusal(String head) {
    boolean s3 = !TARGET.matcher(head).find();
    String body =
        s3
            ? "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
            : "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ThrottlingException\"}";
    return ("HTTP/1.1 "
            + (s3 ? "503 Slow Down" : "400 Bad Request")
            + "\r\nConnection: close\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    listening.close();
    threads.shutdownNow();
  }
}

package io.tidemill.functions;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Certificates of a broker and of a client by an authority of their own, made anew by the JDK's own
 * tool.
 *
 * @param brokerStore PKCS12 file with the broker's key
 * @param authority PEM of the certificate that signed both
 * @param clientKey PEM of the client's key
 * @param client PEM of the client's certificate
 */
record Certificates(Path brokerStore, String authority, String clientKey, String client) {
  /** Of a file that is gone with the test. */
  static final String STORE_PASSWORD = "store-password";

  static Certificates make(Path directory)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = directory.resolve("broker.p12");
    keytool(file, "-alias", "authority", "-dname", "CN=Test authority", "-ext", "bc:c");
    keytool(file, "-alias", "client", "-dname", "CN=client", "-signer", "authority");
    keytool(
        file,
        "-alias",
        "broker",
        "-dname",
        "CN=broker",
        "-signer",
        "authority",
        "-ext",
        "san=dns:localhost");
    KeyStore keys = KeyStore.getInstance("PKCS12");
    char[] password = STORE_PASSWORD.toCharArray();
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, password);
    }
    Certificates made =
        new Certificates(
            file,
            pem("CERTIFICATE", keys.getCertificate("authority").getEncoded()),
            pem("PRIVATE KEY", keys.getKey("client", password).getEncoded()),
            pem("CERTIFICATE", keys.getCertificate("client").getEncoded()));
    // The broker would take any key of the file for its own.
    keys.deleteEntry("authority");
    keys.deleteEntry("client");
    try (OutputStream out = Files.newOutputStream(file)) {
      keys.store(out, password);
    }
    return made;
  }

  private static void keytool(Path file, String... more) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", file.toString(), "-storepass", STORE_PASSWORD));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("keytool failed: " + output);
    }
  }

  private static String pem(String kind, byte[] content) {
    String text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }
}

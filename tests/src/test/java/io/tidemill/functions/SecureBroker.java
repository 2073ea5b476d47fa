package io.tidemill.functions;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemill.broker.EmbeddedKafka;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Security;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;

/**
 * A broker whose clients have to trust an authority of its own and to authenticate: users with
 * passwords by SCRAM, or an identity of AWS.
 */
final class SecureBroker implements AutoCloseable {
  private static final String LISTENER = "SECURE";

  /** Of a file that is gone with the test. */
  private static final String STORE_PASSWORD = "store-password";

  private static final int ITERATIONS = 4_096;

  private final Path store;
  private final String authority;
  private final EmbeddedKafka kafka;
  private final Admin admin;
  private final MskAuthentication identities;

  /**
   * @param directory for its certificate
   */
  SecureBroker(Path directory, MskAuthentication identities) throws Exception {
    this.store = directory.resolve("broker.p12");
    this.identities = identities;
    this.authority = certificate();
    Security.addProvider(identities);
    this.kafka = EmbeddedKafka.start(settings(), Set.of(LISTENER));
    this.admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  private Map<String, String> settings() {
    String listener = "listener.name.secure.";
    Map<String, String> settings = new HashMap<>();
    settings.put(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL");
    settings.put(
        listener + "sasl.enabled.mechanisms",
        ScramMechanism.SCRAM_SHA_512.mechanismName() + "," + MskAuthentication.MECHANISM);
    settings.put(
        listener + "scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    // Something has to stand here, and this does nothing without users.
    settings.put(
        listener + "aws_msk_iam.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required;");
    settings.put(listener + "ssl.keystore.type", "PKCS12");
    settings.put(listener + "ssl.keystore.location", store.toString());
    settings.put(listener + "ssl.keystore.password", STORE_PASSWORD);
    settings.put(listener + "ssl.key.password", STORE_PASSWORD);
    return settings;
  }

  /** Makes an authority and a certificate that it signs, and returns the authority's as PEM. */
  private String certificate() throws IOException, InterruptedException, GeneralSecurityException {
    keytool("-alias", "authority", "-dname", "CN=Test authority", "-ext", "bc:c");
    keytool(
        "-alias",
        "broker",
        "-dname",
        "CN=broker",
        "-signer",
        "authority",
        "-ext",
        "san=dns:localhost");
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, STORE_PASSWORD.toCharArray());
    }
    byte[] authorityCertificate = keys.getCertificate("authority").getEncoded();
    // The broker would take any key of the file for its own.
    keys.deleteEntry("authority");
    try (OutputStream out = Files.newOutputStream(store)) {
      keys.store(out, STORE_PASSWORD.toCharArray());
    }
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(authorityCertificate)
        + "\n-----END CERTIFICATE-----\n";
  }

  private void keytool(String... more) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", STORE_PASSWORD));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("keytool failed: " + output);
    }
  }

  /** Makes a user, or gives it another password. */
  void user(String name, String password) throws Exception {
    ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS);
    admin
        .alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(name, info, password)))
        .all()
        .get();
  }

  void createTopic(String name) {
    kafka.createTopic(name, 2);
  }

  /** What clients have to trust, as PEM. */
  String authority() {
    return authority;
  }

  /** Where clients connect that authenticate. */
  String secureServers() {
    return kafka.bootstrapServers(LISTENER);
  }

  /** Where the test itself connects. */
  String plainServers() {
    return kafka.bootstrapServers();
  }

  @Override
  public void close() {
    admin.close();
    kafka.close();
    Security.removeProvider(identities.getName());
  }
}

package io.tidemill.functions;

import io.tidemill.broker.EmbeddedKafka;
import java.nio.file.Path;
import java.security.Security;
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
 * passwords by SCRAM, an identity of AWS, or a certificate.
 */
final class SecureBroker implements AutoCloseable {
  private static final String WITH_USER = "SECURE";
  private static final String WITH_CERTIFICATE = "MUTUAL";

  private static final int ITERATIONS = 4_096;

  private final Certificates certificates;
  private final EmbeddedKafka kafka;
  private final Admin admin;
  private final MskAuthentication identities;

  /**
   * @param directory for its certificate
   * @param identities of AWS that it lets in
   */
  SecureBroker(Path directory, MskAuthentication identities) throws Exception {
    this.identities = identities;
    this.certificates = Certificates.make(directory);
    Security.addProvider(identities);
    this.kafka = EmbeddedKafka.start(settings(), Set.of(WITH_USER, WITH_CERTIFICATE));
    this.admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  private Map<String, String> settings() {
    String listener = "listener.name.secure.";
    Map<String, String> settings = new HashMap<>();
    settings.put(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL,MUTUAL:SSL");
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
    settings.put("ssl.keystore.type", "PKCS12");
    settings.put("ssl.keystore.location", certificates.brokerStore().toString());
    settings.put("ssl.keystore.password", Certificates.STORE_PASSWORD);
    settings.put("ssl.key.password", Certificates.STORE_PASSWORD);
    settings.put("listener.name.mutual.ssl.client.auth", "required");
    settings.put("listener.name.mutual.ssl.truststore.type", "PEM");
    settings.put("listener.name.mutual.ssl.truststore.certificates", certificates.authority());
    return settings;
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

  Certificates certificates() {
    return certificates;
  }

  /** Where clients connect that say who they are. */
  String serversForUsers() {
    return kafka.bootstrapServers(WITH_USER);
  }

  /** Where clients connect that have a certificate. */
  String serversForCertificates() {
    return kafka.bootstrapServers(WITH_CERTIFICATE);
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

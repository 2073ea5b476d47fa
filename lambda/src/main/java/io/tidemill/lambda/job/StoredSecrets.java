package io.tidemill.lambda.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.Retries;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.ssm.SsmClient;

/**
 * Looks up {@code secret:NAME}, a secret of Secrets Manager by name or ARN, {@code
 * secret:NAME#FIELD}, a field of one that is a JSON object, and {@code ssm:NAME}, a parameter,
 * decrypted. Thread-safe.
 */
public final class StoredSecrets {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final AwsClients clients;
  private final Retries retries;
  private SecretsManagerClient secrets;
  private SsmClient parameters;

  /**
   * @param clients makes the clients once something is looked up
   */
  public StoredSecrets(AwsClients clients, Retries retries) {
    this.clients = clients;
    this.retries = retries;
  }

  /** How to look up by scheme. */
  public Map<String, UnaryOperator<String>> schemes() {
    return Map.of("secret", this::secret, "ssm", this::parameter);
  }

  private String secret(String reference) {
    int hash = reference.indexOf('#');
    String name = hash < 0 ? reference : reference.substring(0, hash);
    String value =
        found(
            "secret:" + name,
            () -> secretsManager().getSecretValue(r -> r.secretId(name)).secretString());
    return hash < 0 ? value : field(reference, value, reference.substring(hash + 1));
  }

  private String parameter(String name) {
    return found(
        "ssm:" + name,
        () ->
            systemsManager()
                .getParameter(r -> r.name(name).withDecryption(true))
                .parameter()
                .value());
  }

  private String found(String reference, Supplier<String> lookup) {
    String value;
    try {
      value = retries.repeatable(lookup);
    } catch (SdkException e) {
      // The cause is left out: nobody knows what a service repeats of the value.
      boolean refused = Retries.isRefused(e) && !Retries.isThrottled(e);
      throw new TidemillException(
              refused ? ErrorCode.INVALID_OPTION : ErrorCode.SOURCE_UNAVAILABLE,
              "A value that the job refers to could not be looked up. Check that it exists and that"
                  + " the function's role may read it.")
          .with("reference", reference)
          .with("error", e.getClass().getSimpleName());
    }
    if (value == null) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION, "A value that the job refers to is not a text.")
          .with("reference", reference);
    }
    return value;
  }

  private static String field(String reference, String secret, String field) {
    try {
      JsonNode value = Json.MAPPER.readTree(secret).path(field);
      if (value.isValueNode() && !value.isNull()) {
        return value.asText();
      }
    } catch (JsonProcessingException e) {
      throw noField(reference);
    }
    throw noField(reference);
  }

  private static TidemillException noField(String reference) {
    return new TidemillException(
            ErrorCode.INVALID_OPTION,
            "A secret that the job refers to is not a JSON object with that field.")
        .with("reference", "secret:" + reference);
  }

  private synchronized SecretsManagerClient secretsManager() {
    if (secrets == null) {
      secrets = clients.client(SecretsManagerClient.builder(), "SECRETS_MANAGER", TIMEOUT);
    }
    return secrets;
  }

  private synchronized SsmClient systemsManager() {
    if (parameters == null) {
      parameters = clients.client(SsmClient.builder(), "SSM", TIMEOUT);
    }
    return parameters;
  }
}

package io.tidemill.connectors.kafka;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;

/**
 * What Kafka's client says went wrong, without pieces of secret options: some of its messages quote
 * what they cannot read.
 *
 * @param text the message of the innermost cause
 * @param cause the exception itself, or null if its messages or those of its causes show a secret
 * @param ofOptions whether the client could not even be made from its options
 */
record Problem(String text, Throwable cause, boolean ofOptions) {
  private static final Pattern SECRET_NAME =
      Pattern.compile(".*(password|passphrase|jaas|secret|token|credential|keystore\\.key).*");

  /** What separates the words of a JAAS configuration or a certificate. */
  private static final Pattern BETWEEN_WORDS = Pattern.compile("[\\s\"';=]+");

  /** Words of every JAAS configuration, which are no secret. */
  private static final Set<String> COMMON_WORDS =
      Set.of("required", "requisite", "sufficient", "optional", "username", "password");

  private static final int WORD_LENGTH_MIN = 4;
  private static final String HIDDEN = "***";

  /**
   * @param client options of the client
   */
  static Problem of(Map<String, Object> client, Throwable e) {
    Throwable root = e;
    boolean showsSecret = false;
    while (true) {
      String message = String.valueOf(root.getMessage());
      showsSecret |= !message.equals(hide(message, client));
      if (root.getCause() == null) {
        break;
      }
      root = root.getCause();
    }
    String text = String.valueOf(root.getMessage());
    // A host name that nobody knows also is an error of options to Kafka, but may pass.
    boolean ofOptions =
        (root instanceof ConfigException
                || root instanceof InvalidConfigurationException
                || root instanceof IllegalArgumentException)
            && !text.startsWith("No resolvable bootstrap urls");
    return new Problem(hide(text, client), showsSecret ? null : e, ofOptions);
  }

  private static String hide(String text, Map<String, Object> client) {
    String shown = text;
    for (Map.Entry<String, Object> option : client.entrySet()) {
      if (SECRET_NAME.matcher(option.getKey().toLowerCase(Locale.ROOT)).matches()) {
        String value = option.getValue().toString();
        shown = shown.replace(value, HIDDEN);
        for (String word : BETWEEN_WORDS.split(value, -1)) {
          if (word.length() >= WORD_LENGTH_MIN && !COMMON_WORDS.contains(word)) {
            shown = shown.replace(word, HIDDEN);
          }
        }
      }
    }
    return shown;
  }
}

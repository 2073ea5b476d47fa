package io.tidemill.aws.localstack;

import io.tidemill.aws.servers.EndpointSource;
import io.tidemill.aws.servers.Endpoints;
import java.net.URI;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;

/** Starts LocalStack in Docker. The container goes away with this process. */
public final class LocalStack implements EndpointSource {
  /** The last version that asks for no account, as in infra/localstack/compose.yml. */
  static final String VERSION = "4.14.0";

  private static final String TOKEN = "LOCALSTACK_AUTH_TOKEN";

  @Override
  public Endpoints start() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new IllegalStateException(
          "The profile localstack needs Docker, and Docker does not answer. Start it, or leave the"
              + " profile out and name servers that run already with -Daws.endpoint=URL; see"
              + " docs/local-aws.md.");
    }
    LocalStackContainer container = new LocalStackContainer(image()).withServices("s3", "dynamodb");
    Optional.ofNullable(System.getenv(TOKEN)).ifPresent(token -> container.withEnv(TOKEN, token));
    container.start();
    URI endpoint = container.getEndpoint();
    return new Endpoints(
        endpoint,
        endpoint,
        container.getAccessKey(),
        container.getSecretKey(),
        container.getRegion());
  }

  private static DockerImageName image() {
    String version = Optional.ofNullable(System.getenv("LOCALSTACK_VERSION")).orElse(VERSION);
    return DockerImageName.parse("localstack/localstack:" + version);
  }
}

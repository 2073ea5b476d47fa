package io.tidemill.cli;

import org.eclipse.microprofile.config.ConfigProvider;
import picocli.CommandLine.IVersionProvider;

/** The version that was built. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version =
        ConfigProvider.getConfig().getValue("quarkus.application.version", String.class);
    return new String[] {"tidemill " + version};
  }
}

package io.tidemill.lambda.platform;

import io.tidemill.connectors.Connectors;
import io.tidemill.function.FunctionSettings;
import io.tidemill.lambda.job.Jobs;
import io.tidemill.lambda.job.References;
import io.tidemill.protocol.Ids;
import io.tidemill.storage.Locations;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.Retries;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * What both functions work with.
 *
 * @param locations opens checkpoints and what jobs name
 * @param scratch a local directory of this instance alone
 * @param functions settings of task runners
 * @param retries for calls of AWS that are not storage's
 */
public record Platform(
    FunctionEnvironment environment,
    Jobs jobs,
    References references,
    Connectors connectors,
    Locations locations,
    Path scratch,
    FunctionSettings functions,
    EmbeddedMetrics metrics,
    AwsClients clients,
    Retries retries,
    InstantSource clock,
    Ids ids) {}

package io.tidemill.lambda.platform;

import io.tidemill.connectors.Connectors;
import io.tidemill.function.FunctionSettings;
import io.tidemill.lambda.job.Jobs;
import io.tidemill.lambda.job.References;
import io.tidemill.protocol.Ids;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.Retries;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * What both functions work with.
 *
 * @param scratch a local directory of this instance alone
 * @param functions settings of task runners
 * @param retries for calls of AWS that are not storage's
 */
public record Platform(
    FunctionEnvironment environment,
    Jobs jobs,
    References references,
    Connectors connectors,
    Checkpoints checkpoints,
    Path scratch,
    FunctionSettings functions,
    EmbeddedMetrics metrics,
    AwsClients clients,
    Retries retries,
    InstantSource clock,
    Ids ids) {}

package io.tidemill.aws.servers;

import java.net.URI;

/**
 * Where DynamoDB's and S3's interfaces are, and who may use them.
 *
 * @param region that signatures name
 */
public record Endpoints(URI dynamo, URI s3, String keyId, String secret, String region) {}

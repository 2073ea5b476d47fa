/** AWS interfaces on this machine: DynamoDB's by dynalite, S3's by S3Proxy. */
package io.tidemill.aws.servers;

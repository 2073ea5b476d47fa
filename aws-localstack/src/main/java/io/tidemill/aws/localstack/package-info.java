/** DynamoDB's and S3's interfaces as LocalStack has them, in a container. */
package io.tidemill.aws.localstack;

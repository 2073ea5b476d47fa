/** Storage on DynamoDB. */
package io.tidemill.storage.dynamo;

/** Storage on S3. */
package io.tidemill.storage.s3;

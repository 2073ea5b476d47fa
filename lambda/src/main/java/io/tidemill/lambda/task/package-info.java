/** The batch function: one task per invocation. */
package io.tidemill.lambda.task;

/** Hands tasks to the batch function. */
package io.tidemill.lambda.invoke;

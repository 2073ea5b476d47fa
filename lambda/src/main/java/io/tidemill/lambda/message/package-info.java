/** What is sent to the functions and what they answer, as JSON. */
package io.tidemill.lambda.message;

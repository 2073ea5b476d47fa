/** What Lambda calls. */
package io.tidemill.lambda.handler;

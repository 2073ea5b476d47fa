/** What a function works with: its settings, storage, connectors and clients. */
package io.tidemill.lambda.platform;

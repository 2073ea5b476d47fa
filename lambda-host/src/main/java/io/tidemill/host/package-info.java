/**
 * Runs function packages as Lambda does: its Invoke API for clients, its Runtime API for one real
 * process per concurrent invocation.
 */
package io.tidemill.host;

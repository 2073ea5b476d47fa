/**
 * What a query remembers: the head (one register value that says what is committed and planned),
 * task and layout records, history, and the collection of what nothing names any more. The rules
 * are in {@code docs/PROTOCOL.md}.
 */
package io.tidemill.checkpoint;

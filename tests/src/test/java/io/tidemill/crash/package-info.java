/** Kills real runs of a query again and again, and compares what comes out at the end. */
package io.tidemill.crash;

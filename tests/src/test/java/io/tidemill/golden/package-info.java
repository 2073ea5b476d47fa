/**
 * Traces of section 6.4 of the reference, recorded from Spark 4.2, on real files and checkpoints.
 */
package io.tidemill.golden;

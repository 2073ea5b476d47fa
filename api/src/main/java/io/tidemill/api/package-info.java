/**
 * Queries as Java programs, under the names of Spark's Structured Streaming. A dataset is a SELECT
 * over named streams; starting one compiles it as a job file would be compiled.
 */
package io.tidemill.api;

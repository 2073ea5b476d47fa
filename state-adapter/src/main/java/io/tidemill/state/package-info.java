/**
 * Keyed state of stateful operators, as a DuckDB table while a task runs and as Parquet between
 * batches. Start reading at {@link io.tidemill.state.ObjectState}.
 */
package io.tidemill.state;

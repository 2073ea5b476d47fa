package io.tidemill.query.job;

import io.tidemill.protocol.schema.Schema;
import java.util.Map;
import java.util.Optional;

/** One statement of a job file. Offsets point into the job's text. */
public sealed interface Statement {
  /** Offset of the name, for messages. */
  int offset();

  /** An option with the offset of its name. */
  record Option(String value, int offset) {}

  /** The watermark clause: the column, and the text and offset of the expression behind AS. */
  record WatermarkClause(String column, String expression, int offset) {}

  /** CREATE STREAM. Options keep their written names; {@code connector} is among them. */
  record CreateStream(
      String name,
      Schema columns,
      Optional<WatermarkClause> watermark,
      Map<String, Option> options,
      int offset)
      implements Statement {}

  /** CREATE TABLE, a static table. */
  record CreateTable(String name, Schema columns, Map<String, Option> options, int offset)
      implements Statement {}

  /** CREATE SINK. */
  record CreateSink(String name, Map<String, Option> options, int offset) implements Statement {}

  /** CREATE VIEW name AS query. */
  record CreateView(String name, QueryText query, int offset) implements Statement {}

  /** SET name = value. */
  record Set(String name, String value, int offset) implements Statement {}

  /** INSERT INTO sink query. */
  record Insert(String sink, QueryText query, int offset) implements Statement {}
}

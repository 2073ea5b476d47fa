package io.tidemill.function;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.engine.Duck;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.TablePlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads static tables into a database, under their names. */
public final class StaticTables {
  private StaticTables() {}

  /**
   * Reads all rows of the tables.
   *
   * @param scratch a local directory that the database may read; what is put there is removed
   */
  public static void load(List<TablePlan> tables, Connectors connectors, Duck duck, Path scratch) {
    try (Scratch own = new Scratch(scratch)) {
      load(tables, connectors, duck, own);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "The scratch directory cannot be used.", e)
          .with("directory", scratch);
    }
  }

  static void load(List<TablePlan> tables, Connectors connectors, Duck duck, Scratch scratch) {
    for (TablePlan table : tables) {
      Options options = SourceReading.options(table.connector());
      SourceConnector connector = connectors.source(table.connector().connector(), options);
      new StaticTable(connector, options, table, duck, scratch).load();
    }
  }
}

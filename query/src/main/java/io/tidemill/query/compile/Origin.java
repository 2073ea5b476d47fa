package io.tidemill.query.compile;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.plan.StatefulOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the rows of a stage come from. Compared by identity; each is read by exactly one stage. */
sealed interface Origin {
  /** Columns of the relation {@link OwnNames#INPUT} of the stage. */
  Schema columns();

  /** Name of an empty table in the type checker with these columns. */
  String typeTable();

  /** All references to streams below some branches. */
  static List<Scan> scans(List<Branch> branches) {
    List<Scan> scans = new ArrayList<>();
    for (Branch branch : branches) {
      if (branch.origin() instanceof Scan scan) {
        scans.add(scan);
      } else if (branch.origin() instanceof Operator operator) {
        scans.addAll(scans(operator.inputs()));
      }
    }
    return scans;
  }

  /** A reference to a stream. */
  final class Scan implements Origin {
    private final int source;
    private final Schema columns;
    private final String typeTable;

    Scan(int source, Schema columns, String typeTable) {
      this.source = source;
      this.columns = columns;
      this.typeTable = typeTable;
    }

    int source() {
      return source;
    }

    @Override
    public Schema columns() {
      return columns;
    }

    @Override
    public String typeTable() {
      return typeTable;
    }
  }

  /** A stateful operator, or a mere meeting of all rows in one task. */
  final class Operator implements Origin {
    private final Optional<StatefulOperator> operator;
    private final List<Branch> inputs;
    private final Schema columns;
    private final String typeTable;

    Operator(
        Optional<StatefulOperator> operator,
        List<Branch> inputs,
        Schema columns,
        String typeTable) {
      this.operator = operator;
      this.inputs = List.copyOf(inputs);
      this.columns = columns;
      this.typeTable = typeTable;
    }

    Optional<StatefulOperator> operator() {
      return operator;
    }

    List<Branch> inputs() {
      return inputs;
    }

    @Override
    public Schema columns() {
      return columns;
    }

    @Override
    public String typeTable() {
      return typeTable;
    }
  }

  /** Rows of an origin after a SELECT over its relation {@link OwnNames#INPUT}. */
  record Branch(Origin origin, String sql) {
    private static final String ALL = "SELECT * FROM " + OwnNames.INPUT;

    /** All rows of an origin, as they are. */
    static Branch of(Origin origin) {
      return new Branch(origin, ALL);
    }

    boolean isPlain() {
      return sql.equals(ALL);
    }
  }
}

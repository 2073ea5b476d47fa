package io.tidemill.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * CASE WHEN … END.
 *
 * @param branches the conditions and values in order
 */
record Choice(List<Branch> branches, Optional<Expression> otherwise) implements Expression {
  Choice {
    branches = List.copyOf(branches);
  }

  record Branch(Expression condition, Expression value) {}

  Choice and(Branch branch) {
    List<Branch> more = new ArrayList<>(branches);
    more.add(branch);
    return new Choice(more, otherwise);
  }

  @Override
  public String sql(Scope scope) {
    StringBuilder sql = new StringBuilder("CASE");
    for (Branch branch : branches) {
      sql.append(" WHEN ").append(branch.condition().sql(scope));
      sql.append(" THEN ").append(branch.value().sql(scope));
    }
    otherwise.ifPresent(e -> sql.append(" ELSE ").append(e.sql(scope)));
    return sql.append(" END").toString();
  }

  @Override
  public String name() {
    StringBuilder name = new StringBuilder("CASE");
    for (Branch branch : branches) {
      name.append(" WHEN ").append(branch.condition().name());
      name.append(" THEN ").append(branch.value().name());
    }
    otherwise.ifPresent(e -> name.append(" ELSE ").append(e.name()));
    return name.append(" END").toString();
  }

  @Override
  public boolean isAtomic() {
    return false;
  }
}

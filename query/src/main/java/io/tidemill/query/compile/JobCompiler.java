package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.job.JobFile;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.QueryText;
import io.tidemill.query.job.Statement;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.Fingerprint;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.QuerySettings;
import io.tidemill.query.plan.SinkPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.StateForm;
import io.tidemill.query.plan.TablePlan;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compiles a job file into one plan per INSERT. */
public final class JobCompiler {
  /** Bytes of a file's name on the usual file systems, with some room. */
  private static final int NAME_BYTES_MAX = 240;

  private static final Pattern OWN_NAME =
      Pattern.compile(OwnNames.PREFIX + "\\w*", Pattern.CASE_INSENSITIVE);

  private final JobText job;
  private final JobFile file;
  private final DuckSql sql;
  private final Map<String, Statement.CreateSink> sinks =
      new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Catalog catalog;
  private Scope views = Scope.empty();

  JobCompiler(JobFile file, DuckSql sql, ConnectorSchemas schemas) {
    this.job = file.text();
    this.file = file;
    this.sql = sql;
    this.catalog = new Definitions(file, sql, schemas).catalog();
  }

  /** The plans of a job, in the order of its INSERTs. Errors point into the job. */
  public static List<QueryPlan> compile(JobFile file, ConnectorSchemas schemas) {
    try (DuckSql sql = new DuckSql()) {
      return new JobCompiler(file, sql, schemas).run();
    }
  }

  private List<QueryPlan> run() {
    for (Statement.CreateSink sink : file.all(Statement.CreateSink.class)) {
      if (sinks.put(sink.name(), sink) != null) {
        throw job.error(
            ErrorCode.JOB_SYNTAX,
            sink.offset(),
            1,
            "The sink " + sink.name() + " is created twice.");
      }
    }
    addViews();
    QuerySettings settings = Settings.read(job, file.all(Statement.Set.class));
    List<Statement.Insert> inserts = file.all(Statement.Insert.class);
    if (inserts.isEmpty()) {
      throw job.error(
          ErrorCode.JOB_SYNTAX,
          job.text().length(),
          1,
          "The job has no query; add INSERT INTO sink SELECT ….");
    }
    List<QueryPlan> plans = new ArrayList<>();
    for (Statement.Insert insert : inserts) {
      checkFileName(insert);
      plans.add(query(insert, settings));
    }
    long names = plans.stream().map(p -> p.name().toLowerCase(Locale.ROOT)).distinct().count();
    if (names < plans.size()) {
      throw job.error(
          ErrorCode.ILLEGAL_QUERY,
          inserts.get(inserts.size() - 1).offset(),
          1,
          "Two queries insert into the same sink; combine them with UNION ALL, or create a second"
              + " sink.");
    }
    return plans;
  }

  /** A query is called like its sink, and its checkpoint's directory like the query. */
  private void checkFileName(Statement.Insert insert) {
    String name = insert.sink();
    boolean fits =
        name.chars().noneMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c))
            && !name.startsWith(".")
            && name.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES_MAX;
    if (!fits) {
      throw job.error(
          ErrorCode.JOB_SYNTAX,
          insert.offset(),
          name.length(),
          "A sink that is inserted into gives its name to a directory: it has no slashes, does not"
              + " start with a dot, and takes at most "
              + NAME_BYTES_MAX
              + " bytes.");
    }
  }

  private void addViews() {
    file.all(Statement.CreateView.class).forEach(this::addView);
  }

  private void addView(Statement.CreateView view) {
    QueryText named =
        QueryText.of(job.name(), "WITH x AS (" + view.query().sql() + ") SELECT * FROM x");
    Select body = parse(view.query());
    Context context = new Context(sql, catalog, view.query(), OutputMode.APPEND);
    new Sandbox(context, new Froms(context)).check(body.node(), views);
    JsonNode entry = rewritten(parse(named)).commonTables().get("x");
    Set<String> taken = new TreeSet<>(catalog.names());
    taken.addAll(views.all().keySet());
    Definitions.checkName(job, view.name(), view.offset(), taken);
    views = views.with(Map.of(view.name(), entry));
  }

  /** The columns of a query over what the job defines, be it streaming or not. */
  Schema columns(QueryText text) {
    addViews();
    Context context = new Context(sql, catalog, text, OutputMode.APPEND);
    return new Validation(context).check(checked(context, new Froms(context)), views);
  }

  /** A query over static tables as DuckDB runs it; the job has no views. */
  String staticText(QueryText text) {
    Context context = new Context(sql, catalog, text, OutputMode.APPEND);
    Froms froms = new Froms(context);
    Select query = checked(context, froms);
    if (froms.streams(query.node(), views)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          null,
          "The query reads a stream, which has no end; write it to a sink.");
    }
    new Validation(context).check(query, views);
    return sql.text(query);
  }

  private Select checked(Context context, Froms froms) {
    Select written = parse(context.text);
    new Sandbox(context, froms).check(written.node(), views);
    return rewritten(written);
  }

  /** What every query goes through before it is looked at in detail. */
  private Select rewritten(Select written) {
    Pinned pinned = new Pinned(sql, columnNames(written));
    Select named =
        ColumnNames.keep(sql, written, n -> pinned.isClock(n) || Macros.isExpanded(sql, n));
    return WindowColumns.complete(SparkJson.lenient(sql, pinned.pin(Macros.expand(sql, named))));
  }

  /** Names that columns have in a query: where there is one, it is not a clock. */
  private Set<String> columnNames(Select query) {
    Set<String> names = new TreeSet<>(catalog.columnNames());
    List<JsonNode> trees = new ArrayList<>(List.of(query.node()));
    views.all().values().forEach(v -> trees.add(v.entry()));
    trees.forEach(tree -> Tree.walk(tree, n -> ColumnNames.given(n).forEach(names::add)));
    return names;
  }

  private Select parse(QueryText text) {
    Matcher own = OWN_NAME.matcher(text.sql());
    if (own.find()) {
      throw text.error(
          ErrorCode.JOB_SYNTAX,
          own.start(),
          own.group().length(),
          "What starts with " + OwnNames.PREFIX + " is the engine's own; use another name.");
    }
    try {
      return sql.parse(text.sql());
    } catch (SqlMistake e) {
      throw text.error(ErrorCode.JOB_SYNTAX, Math.max(0, e.position()), 1, e.getMessage());
    }
  }

  private QueryPlan query(Statement.Insert insert, QuerySettings settings) {
    Statement.CreateSink sink = sinks.get(insert.sink());
    if (sink == null) {
      throw job.error(
          ErrorCode.UNKNOWN_NAME,
          insert.offset(),
          insert.sink().length(),
          "There is no sink '"
              + insert.sink()
              + "'."
              + Nearest.hint(insert.sink(), sinks.keySet()));
    }
    OutputMode mode = mode(sink);
    Context context = new Context(sql, catalog, insert.query(), mode);
    Froms froms = new Froms(context);
    Select query = checked(context, froms);
    if (!froms.streams(query.node(), views)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          null,
          "The query reads no stream; a job is for streams. Create one with CREATE STREAM.");
    }
    new Validation(context).check(query, views);
    SelectCompiler selects = new SelectCompiler(context, query, views);
    Relation result = context.storable(selects.compile(query, views, List.of()));
    new Legality(context).check(result);
    return plan(context, sink, mode, result, settings);
  }

  private static OutputMode mode(JobText job, Statement.CreateSink sink, String value, int offset) {
    for (OutputMode mode : OutputMode.values()) {
      if (mode.text().equalsIgnoreCase(value)) {
        return mode;
      }
    }
    throw job.error(
        ErrorCode.INVALID_OPTION,
        offset,
        4,
        "The mode of sink "
            + sink.name()
            + " is append, update or complete."
            + Nearest.hint(value, List.of("append", "update", "complete")));
  }

  private OutputMode mode(Statement.CreateSink sink) {
    return sink.options().entrySet().stream()
        .filter(e -> e.getKey().equalsIgnoreCase("mode"))
        .findFirst()
        .map(e -> mode(job, sink, e.getValue().value(), e.getValue().offset()))
        .orElse(OutputMode.APPEND);
  }

  private QueryPlan plan(
      Context context,
      Statement.CreateSink sink,
      OutputMode mode,
      Relation result,
      QuerySettings settings) {
    List<SinkPlan> outputs = new ArrayList<>();
    outputs.add(new SinkPlan(sink.name(), sinkConnector(sink), mode, result.columns()));
    List<SourcePlan> sources = new ArrayList<>();
    for (int i = 0; i < context.scans.size(); i++) {
      sources.add(source(context, i, outputs));
    }
    List<TablePlan> tables =
        catalog.tables.values().stream()
            .map(t -> new TablePlan(t.name(), t.connector(), t.declared()))
            .toList();
    QueryPlan plan =
        new QueryPlan(
            sink.name(),
            mode,
            sources,
            tables,
            StagePlanner.stages(result),
            outputs,
            result.columns(),
            settings,
            "");
    checkStateForm(plan);
    return Fingerprint.sign(Statics.withTablesRead(plan, context));
  }

  /** Items are read by the keys of a batch; complete mode needs all. */
  private static void checkStateForm(QueryPlan plan) {
    if (plan.settings().state() != StateForm.OBJECT
        && plan.mode() == OutputMode.COMPLETE
        && !plan.stateful().isEmpty()) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY,
              "A query in complete mode reads all of its state in every batch, which items are not"
                  + " made for: use another output mode, or SET state = 'object'.")
          .with("query", plan.name());
    }
  }

  private SourcePlan source(Context context, int index, List<SinkPlan> outputs) {
    Context.Scanned scan = context.scans.get(index);
    Catalog.StreamEntry stream = scan.stream();
    TreeSet<String> columns = new TreeSet<>(scan.columns());
    SourcePlan.Malformed malformed =
        stream.dropMalformed() ? new SourcePlan.Malformed.Drop() : new SourcePlan.Malformed.Fail();
    Optional<String> deadLetter = stream.deadLetterSink();
    if (deadLetter.isPresent()) {
      Statement.CreateSink sink = sinks.get(deadLetter.get());
      if (sink == null) {
        throw job.error(
            ErrorCode.UNKNOWN_NAME,
            offsetOf(stream.name()),
            1,
            "There is no sink '"
                + deadLetter.get()
                + "' for the dead letters of stream "
                + stream.name()
                + "."
                + Nearest.hint(deadLetter.get(), sinks.keySet()));
      }
      int sinkIndex = -1;
      for (int i = 1; i < outputs.size(); i++) {
        sinkIndex = outputs.get(i).name().equalsIgnoreCase(sink.name()) ? i : sinkIndex;
      }
      if (sinkIndex < 0) {
        sinkIndex = outputs.size();
        outputs.add(
            new SinkPlan(sink.name(), sinkConnector(sink), OutputMode.APPEND, DeadLetters.COLUMNS));
      }
      malformed = new SourcePlan.Malformed.DeadLetter(sinkIndex);
    }
    return new SourcePlan(
        index,
        stream.name(),
        stream.connector(),
        stream.declared(),
        malformed,
        scan.eventTime(),
        columns,
        scan.watermarkConditions());
  }

  private int offsetOf(String stream) {
    return file.all(Statement.CreateStream.class).stream()
        .filter(s -> s.name().equalsIgnoreCase(stream))
        .findFirst()
        .map(Statement.CreateStream::offset)
        .orElse(0);
  }

  private ConnectorSpec sinkConnector(Statement.CreateSink sink) {
    Map<String, Statement.Option> options = new LinkedHashMap<>(sink.options());
    options.keySet().removeIf(k -> k.equalsIgnoreCase("mode"));
    return Definitions.connector(job, "sink " + sink.name(), options, sink.offset());
  }
}

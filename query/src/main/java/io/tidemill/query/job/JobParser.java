package io.tidemill.query.job;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parses a job file. The grammar is only CREATE STREAM, TABLE, SINK and VIEW, SET and INSERT INTO;
 * the SELECTs are left to DuckDB.
 */
public final class JobParser {
  private final JobText job;
  private final Variables variables;
  private final List<Token> tokens;
  private int at;

  private JobParser(JobText job, Variables variables) {
    this.job = job;
    this.variables = variables;
    this.tokens = Lexer.tokens(job);
  }

  /** Parses a job; a mistake is {@code JOB_SYNTAX} with its place and what to write instead. */
  public static JobFile parse(JobText job, Variables variables) {
    return new JobParser(job, variables).run();
  }

  private JobFile run() {
    List<Statement> statements = new ArrayList<>();
    while (peek().kind() != Token.Kind.END) {
      if (accept(";")) {
        continue;
      }
      statements.add(statement());
      if (peek().kind() != Token.Kind.END) {
        expect(";");
      }
    }
    return new JobFile(job, statements);
  }

  private Statement statement() {
    Token first = take();
    if (first.isWord("create")) {
      return create();
    }
    if (first.isWord("set")) {
      return set();
    }
    if (first.isWord("insert")) {
      if (!acceptWord("into")) {
        throw unexpected("INTO");
      }
      Token name = name("the name of a sink");
      return new Statement.Insert(name.text(), query(), name.start());
    }
    throw job.error(
        ErrorCode.JOB_SYNTAX,
        first.start(),
        first.end() - first.start(),
        "A statement starts with CREATE STREAM, CREATE TABLE, CREATE SINK, CREATE VIEW, SET or"
            + " INSERT INTO."
            + Nearest.hint(first.text(), List.of("CREATE", "SET", "INSERT")));
  }

  private Statement create() {
    Token kind = take();
    List<String> kinds = List.of("STREAM", "TABLE", "SINK", "VIEW");
    if (kinds.stream().noneMatch(kind::isWord)) {
      throw job.error(
          ErrorCode.JOB_SYNTAX,
          kind.start(),
          kind.end() - kind.start(),
          "CREATE is followed by STREAM, TABLE, SINK or VIEW." + Nearest.hint(kind.text(), kinds));
    }
    Token name = name("a name");
    if (kind.isWord("view")) {
      if (!acceptWord("as")) {
        throw unexpected("AS");
      }
      return new Statement.CreateView(name.text(), query(), name.start());
    }
    List<Column> columns = new ArrayList<>();
    Optional<Statement.WatermarkClause> watermark = Optional.empty();
    if (!kind.isWord("sink") && accept("(")) {
      do {
        if (peek().isWord("watermark") && peekNext().isWord("for")) {
          if (watermark.isPresent()) {
            throw job.error(ErrorCode.JOB_SYNTAX, peek().start(), 9, "A stream has one watermark.");
          }
          watermark = Optional.of(watermark());
        } else {
          columns.add(column());
        }
      } while (accept(","));
      expect(")");
    }
    Map<String, Statement.Option> options = options();
    Schema schema = new Schema(columns);
    if (kind.isWord("stream")) {
      return new Statement.CreateStream(name.text(), schema, watermark, options, name.start());
    }
    if (watermark.isPresent()) {
      throw job.error(
          ErrorCode.JOB_SYNTAX,
          name.start(),
          1,
          "Only a stream has a watermark; use CREATE STREAM.");
    }
    return kind.isWord("table")
        ? new Statement.CreateTable(name.text(), schema, options, name.start())
        : new Statement.CreateSink(name.text(), options, name.start());
  }

  private Column column() {
    Token name = name("a column name, or WATERMARK FOR");
    Token start = peek();
    int depth = 0;
    int end = start.start();
    while (depth > 0
        || !(peek().isSymbol(",")
            || peek().isSymbol(")")
            || peek().isWord("not")
            || peek().isWord("null"))) {
      Token token = take();
      if (token.kind() == Token.Kind.END || token.isSymbol(";")) {
        throw job.error(ErrorCode.JOB_SYNTAX, start.start(), 1, "The column list is not closed.");
      }
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      end = token.end();
    }
    if (end == start.start()) {
      throw unexpected("the type of column " + name.text());
    }
    boolean required = acceptWord("not");
    if (required && !peek().isWord("null")) {
      throw unexpected("NULL");
    }
    acceptWord("null");
    return new Column(name.text(), job.text().substring(start.start(), end), required);
  }

  private Statement.WatermarkClause watermark() {
    take();
    take();
    Token column = name("the event-time column");
    if (!acceptWord("as")) {
      throw unexpected("AS");
    }
    int start = peek().start();
    int end = start;
    int depth = 0;
    while (depth > 0 || !(peek().isSymbol(",") || peek().isSymbol(")"))) {
      Token token = take();
      if (token.kind() == Token.Kind.END || token.isSymbol(";")) {
        throw job.error(ErrorCode.JOB_SYNTAX, start, 1, "The column list is not closed.");
      }
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      end = token.end();
    }
    return new Statement.WatermarkClause(column.text(), job.text().substring(start, end), start);
  }

  private Map<String, Statement.Option> options() {
    if (!acceptWord("with")) {
      throw unexpected("WITH (connector = '…', …)");
    }
    expect("(");
    Map<String, Statement.Option> options = new LinkedHashMap<>();
    do {
      Token name = take();
      if (!name.isName() && name.kind() != Token.Kind.STRING) {
        at--;
        throw unexpected("an option name");
      }
      expect("=");
      String value = value();
      boolean twice = options.keySet().stream().anyMatch(k -> k.equalsIgnoreCase(name.text()));
      if (twice) {
        throw job.error(
            ErrorCode.JOB_SYNTAX,
            name.start(),
            name.end() - name.start(),
            "The option '" + name.text() + "' is given twice.");
      }
      options.put(name.text(), new Statement.Option(value, name.start()));
    } while (accept(","));
    expect(")");
    return options;
  }

  private Statement set() {
    Token name = name("the name of a setting");
    StringBuilder full = new StringBuilder(name.text());
    while (accept(".")) {
      full.append('.').append(name("a name").text());
    }
    expect("=");
    return new Statement.Set(full.toString(), value(), name.start());
  }

  private String value() {
    Token token = take();
    return switch (token.kind()) {
      case STRING -> variables.fill(job, token.text(), token.start());
      case NUMBER, WORD -> token.text();
      case SYMBOL -> {
        if (token.isSymbol("-") && peek().kind() == Token.Kind.NUMBER) {
          yield "-" + take().text();
        }
        at--;
        throw unexpected("a text in single quotes, a number, true or false");
      }
      default -> {
        at--;
        throw unexpected("a text in single quotes, a number, true or false");
      }
    };
  }

  private QueryText query() {
    int start = peek().start();
    int end = start;
    while (!peek().isSymbol(";") && peek().kind() != Token.Kind.END) {
      end = take().end();
    }
    if (end == start) {
      throw unexpected("a SELECT");
    }
    return QueryText.of(job, start, end);
  }

  private Token name(String what) {
    if (!peek().isName()) {
      throw unexpected(what);
    }
    return take();
  }

  private Token peek() {
    return tokens.get(at);
  }

  private Token peekNext() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  private Token take() {
    Token token = tokens.get(at);
    if (token.kind() != Token.Kind.END) {
      at++;
    }
    return token;
  }

  private boolean accept(String symbol) {
    boolean there = peek().isSymbol(symbol);
    if (there) {
      at++;
    }
    return there;
  }

  private boolean acceptWord(String word) {
    boolean there = peek().isWord(word);
    if (there) {
      at++;
    }
    return there;
  }

  private void expect(String symbol) {
    if (!accept(symbol)) {
      throw unexpected("'" + symbol + "'");
    }
  }

  private TidemillException unexpected(String expected) {
    Token token = peek();
    return job.error(
        ErrorCode.JOB_SYNTAX,
        token.start(),
        token.end() - token.start(),
        "Expected "
            + expected
            + ", found "
            + (token.kind() == Token.Kind.STRING ? "a text" : token.text())
            + ".");
  }
}

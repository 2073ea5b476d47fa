package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Functions of texts and bytes, part of {@link functions}. */
sealed class TextFunctions extends TimeFunctions permits functions {
  TextFunctions() {}

  public static Column upper(Column text) {
    return call("upper", text);
  }

  public static Column lower(Column text) {
    return call("lower", text);
  }

  /** Without spaces at both ends. */
  public static Column trim(Column text) {
    return call("trim", text);
  }

  public static Column ltrim(Column text) {
    return call("ltrim", text);
  }

  public static Column rtrim(Column text) {
    return call("rtrim", text);
  }

  /** The number of characters. */
  public static Column length(Column text) {
    return new Column(Form.of("CAST(length({0}) AS INTEGER)", "length", text.expression()));
  }

  /** Texts or lists one behind the other; null if one of them is null. */
  public static Column concat(Column... columns) {
    List<Expression> all = Arrays.stream(columns).map(Column::expression).toList();
    StringBuilder sql = new StringBuilder();
    StringBuilder places = new StringBuilder();
    for (int i = 0; i < columns.length; i++) {
      sql.append(i == 0 ? "{" : " || {").append(i).append('}');
      places.append(i == 0 ? "{" : ", {").append(i).append('}');
    }
    return new Column(new Form(sql.toString(), "concat(" + places + ")", false, all));
  }

  /** The texts that are not null, with a separator between them. */
  public static Column concat_ws(String separator, Column... columns) {
    List<Column> all = new ArrayList<>(List.of(functions.lit(separator)));
    all.addAll(Arrays.asList(columns));
    return call("concat_ws", all.toArray(new Column[0]));
  }

  /** A part of a text, the first character having position 1. */
  public static Column substring(Column text, int position, int length) {
    return text.substr(position, length);
  }

  /** The parts of a text between matches of a regular expression. */
  public static Column split(Column text, String pattern) {
    return call("string_split_regex", "split", text, functions.lit(pattern));
  }

  /** A group of the first match of a regular expression; the empty text if there is none. */
  public static Column regexp_extract(Column text, String pattern, int group) {
    return new Column(
        Form.of(
            "regexp_extract({0}, {1}, " + group + ")",
            "regexp_extract",
            text.expression(),
            Constant.of(pattern)));
  }

  /** With all matches of a regular expression replaced; {@code $1} stands for the first group. */
  public static Column regexp_replace(Column text, String pattern, String replacement) {
    return new Column(
        Form.of(
            "regexp_replace({0}, {1}, {2}, 'g')",
            "regexp_replace",
            text.expression(),
            Constant.of(pattern),
            Constant.of(replacement.replaceAll("\\$(\\d)", "\\\\$1"))));
  }

  /** With every occurrence of a text replaced. */
  public static Column replace(Column text, Column search, Column replacement) {
    return call("replace", text, search, replacement);
  }

  public static Column lpad(Column text, int length, String pad) {
    return call("lpad", text, functions.lit(length), functions.lit(pad));
  }

  public static Column rpad(Column text, int length, String pad) {
    return call("rpad", text, functions.lit(length), functions.lit(pad));
  }

  public static Column repeat(Column text, int times) {
    return call("repeat", text, functions.lit(times));
  }

  public static Column reverse(Column text) {
    return call("reverse", text);
  }

  /** The position of a text within another, from 1; 0 if it is not there. */
  public static Column instr(Column text, String part) {
    return new Column(
        Form.of("CAST(instr({0}, {1}) AS INTEGER)", "instr", text.expression(), Constant.of(part)));
  }

  /** The hash as hexadecimal text. */
  public static Column md5(Column text) {
    return call("md5", text);
  }

  /** The hash as hexadecimal text; of 256 bits only. */
  public static Column sha2(Column text, int bits) {
    if (bits != 256 && bits != 0) {
      throw new TidemillException(ErrorCode.UNSUPPORTED, "sha2 is available with 256 bits.")
          .with("bits", bits);
    }
    return call("sha256", "sha2", text);
  }

  public static Column base64(Column bytes) {
    return call("to_base64", "base64", bytes);
  }

  public static Column unbase64(Column text) {
    return call("from_base64", "unbase64", text);
  }

  /** Bytes as text; UTF-8 is the only character set. */
  public static Column decode(Column bytes, String charset) {
    checkUtf8(charset);
    return call("decode", bytes);
  }

  /** A text as bytes; UTF-8 is the only character set. */
  public static Column encode(Column text, String charset) {
    checkUtf8(charset);
    return call("encode", text);
  }

  private static void checkUtf8(String charset) {
    if (!charset.equalsIgnoreCase("UTF-8") && !charset.equalsIgnoreCase("UTF8")) {
      throw new TidemillException(ErrorCode.UNSUPPORTED, "UTF-8 is the only character set.")
          .with("charset", charset);
    }
  }

  /** A fresh id as text, the same again when a batch is run again. */
  public static Column uuid() {
    return new Column(new Form("CAST(uuid() AS VARCHAR)", "uuid()", true, List.of()));
  }
}

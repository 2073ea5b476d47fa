package io.tidemill.connectors.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes a file of whole JSON documents apart: a record per object, be it alone, in an array, or one
 * of several. Bytes are cut out as they are, so that no number changes. A file that is nothing of
 * the kind is one record, for the decoder to call malformed.
 */
final class JsonDocuments {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonDocuments() {}

  private record Document(int from, int to, int line) {}

  static void split(byte[] file, RowAppender rows) throws IOException {
    List<Document> documents;
    try {
      documents = documents(file);
    } catch (JsonProcessingException e) {
      documents = List.of(new Document(0, file.length, 1));
    }
    for (Document d : documents) {
      rows.value(Arrays.copyOfRange(file, d.from(), d.to()), d.line());
    }
  }

  private static List<Document> documents(byte[] file) throws IOException {
    List<Document> found = new ArrayList<>();
    Document all = new Document(0, file.length, 1);
    try (JsonParser parser = JSON.createParser(file)) {
      int depth = 0;
      for (JsonToken t = parser.nextToken(); t != null; t = parser.nextToken()) {
        if (t == JsonToken.START_OBJECT) {
          int from = (int) parser.currentTokenLocation().getByteOffset();
          int line = parser.currentTokenLocation().getLineNr();
          parser.skipChildren();
          found.add(new Document(from, (int) parser.currentLocation().getByteOffset(), line));
        } else if (t == JsonToken.START_ARRAY && depth == 0) {
          depth++;
        } else if (t == JsonToken.END_ARRAY) {
          depth--;
        } else {
          return List.of(all);
        }
      }
    }
    return found;
  }
}

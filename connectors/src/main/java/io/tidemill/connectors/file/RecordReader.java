package io.tidemill.connectors.file;

import java.io.IOException;
import java.io.InputStream;

/** Reads the records of one unpacked file. */
interface RecordReader {
  void read(InputStream file, FileSplit.Part part, RowAppender rows) throws IOException;
}

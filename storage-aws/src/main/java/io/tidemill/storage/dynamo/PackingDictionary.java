package io.tidemill.storage.dynamo;

import java.nio.charset.StandardCharsets;
import java.util.zip.Adler32;

/**
 * Text that heads and task records have in common, so that a packed one need not spell it out: what
 * occurs in it costs a reference of a few bytes. What is most frequent stands last.
 *
 * <p>Values in tables can be read only with the very bytes they were written with. Whoever wants
 * another text adds a second one and keeps this to read by.
 */
final class PackingDictionary {
  private static final byte[] BYTES =
      String.join(
              "",
              "{\"kind\":\"task\",\"format\":1,\"value\":{\"task\":{\"timeline\":0,\"batch\":0,",
              "\"stage\":-1,\"part\":0},\"attempt\":\"\",\"sources\":[{\"source\":0,\"rows\":0,",
              "\"malformed\":0,\"maxEventMicros\":17,\"minEventMicros\":17,\"sumEventMillis\":1.7",
              "E16,\"eventRows\":0,\"metrics\":{}}],\"operators\":[{\"operator\":1,",
              "\"rowsUpdated\":0,\"rowsRemoved\":0,\"lateRows\":0,\"lateGroups\":0}],\"state\":[{",
              "\"operator\":1,\"buckets\":{\"from\":0,\"to\":1024},\"added\":[],\"rebased\":true,",
              "\"rows\":0}],\"shuffles\":[{\"toStage\":1,\"key\":\"shuffle/0/0000000000/s0/p0-0-",
              ".parquet\",\"rows\":0,\"bytes\":0,\"checksum\":0,\"types\":{},\"inline\":\"\"}],",
              "\"sinkOutputs\":[],\"outputRows\":0,\"runMillis\":0},\"crc32c\":\"\"}\n",
              "{\"kind\":\"head-reference\",\"format\":1,\"value\":{\"key\":\"heads/0/0000000000/",
              ".json\",\"bytes\":0,\"checksum\":0},\"crc32c\":\"",
              "{\"kind\":\"head\",\"format\":1,\"value\":{\"query\":\"\",\"name\":\"\",\"plan\":{",
              "\"fingerprint\":\"\",\"parts\":{\"operator 1\":\"aggregate by k0 TIMESTAMP, ",
              "k1 TIMESTAMP, k2 VARCHAR: sum(x0) kept as DECIMAL(38,0), count_star() kept as ",
              "BIGINT evicted by k0 + INTERVAL '300000000 microseconds'\",\"output mode\":",
              "\"append\",\"source 0\":\"kafka stream \"}},\"settings\":{\"buckets\":1024,",
              "\"watermarkPolicy\":\"min\"},\"timeline\":0,\"epoch\":1,\"lease\":{\"owner\":\"",
              "\",\"expiresAtMillis\":0},\"committed\":{\"batch\":0,\"positions\":[{\"\":{\"0\":0,",
              "\"1\":0,\"2\":0,\"3\":0,\"id\":\"\"}}],\"inputs\":[{\"maxEventMillis\":17,",
              "\"activeAtMillis\":17}],\"used\":17,\"next\":17,\"state\":{\"1\":{\"segments\":[{",
              "\"buckets\":{\"from\":0,\"to\":1024},\"files\":[{\"key\":\"state/1/0/0000000000-0-",
              "1024-.parquet\",\"buckets\":{\"from\":0,\"to\":1024},\"base\":true,\"rows\":0,",
              "\"bytes\":0,\"checksum\":0,\"batch\":0},{\"key\":\"state/1/0/0000000001-0-1024-",
              ".parquet\",\"buckets\":{\"from\":0,\"to\":1024},\"base\":false,\"rows\":0,",
              "\"bytes\":0,\"checksum\":0,\"batch\":0}],\"rows\":0}],\"evictedTo\":17,",
              "\"obsolete\":[{\"key\":\"state/1/0/0000000000-0-1024-.parquet\",\"sinceBatch\":0},",
              "{\"key\":\"state/1/0/0000000001-0-1024-.parquet\",\"sinceBatch\":0}]}},",
              "\"publication\":{\"outputs\":[{\"task\":{\"timeline\":0,\"batch\":0,\"stage\":-1,",
              "\"part\":0},\"sink\":0,\"output\":{\"files\":[{\"staged\":\"_tidemill/staging/",
              "/0/0000000000/all/p0-/0.staged\",\"name\":\"part-0-0000000000-all-0-.json\",",
              "\"rows\":0,\"bytes\":0}]}},{\"task\":{\"timeline\":0,\"batch\":0,\"stage\":1,",
              "\"part\":0},\"sink\":0,\"output\":{\"files\":[{\"staged\":\"_tidemill/staging/",
              "/0/0000000000/s1/p0-/0.staged\",\"name\":\"part-0-0000000000-s1-0-.parquet\",",
              "\"rows\":0,\"bytes\":0}]}}]},\"publication\":null},\"planned\":{\"batch\":0,",
              "\"data\":true,\"sources\":[{\"start\":{\"\":{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"id\":\"",
              "\"}},\"end\":{\"\":{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"id\":\"\"}},\"splits\":[{\"range\":{",
              "\"topic\":\"\",\"partition\":0,\"from\":0,\"until\":0},\"estimatedRows\":0},{",
              "\"range\":{\"topic\":\"\",\"partition\":1,\"from\":0,\"until\":0},",
              "\"estimatedRows\":0}],\"rowsEstimate\":0}],\"late\":17,\"eviction\":17,",
              "\"timestampMillis\":17,\"seed\":0,\"layout\":{\"wholeBatch\":true,\"parts\":{}}},",
              "\"planned\":null,\"recent\":[{\"timeline\":0,\"batch\":0,\"progress\":{\"id\":\"\",",
              "\"runId\":\"\",\"name\":\"\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",",
              "\"batchId\":0,\"batchDuration\":0,\"numInputRows\":0,\"inputRowsPerSecond\":0.0,",
              "\"processedRowsPerSecond\":0.0,\"durationMs\":{\"addBatch\":0,\"commitOffsets\":0,",
              "\"latestOffset\":0,\"publish\":0,\"queryPlanning\":0,\"triggerExecution\":0,",
              "\"walCommit\":0},\"eventTime\":{\"max\":\"2026-01-01T00:00:00.000Z\",\"min\":",
              "\"2026-01-01T00:00:00.000Z\",\"avg\":\"2026-01-01T00:00:00.000Z\",\"watermark\":",
              "\"2026-01-01T00:00:00.000Z\"},\"stateOperators\":[{\"operatorName\":",
              "\"stateStoreSave\",\"numRowsTotal\":0,\"numRowsUpdated\":0,\"numRowsRemoved\":0,",
              "\"memoryUsedBytes\":0,\"numRowsDroppedByWatermark\":0,\"numShufflePartitions\":1,",
              "\"customMetrics\":{\"numGroupsDroppedByWatermark\":0}}],\"sources\":[{",
              "\"description\":\"kafka[subscribe=\",\"startOffset\":{\"\":{\"0\":0,\"1\":0,",
              "\"2\":0,\"3\":0}},\"endOffset\":{\"\":{\"0\":0,\"1\":0,\"2\":0,\"3\":0}},",
              "\"latestOffset\":{\"\":{\"0\":0,\"1\":0,\"2\":0,\"3\":0}},\"numInputRows\":0,",
              "\"inputRowsPerSecond\":0.0,\"processedRowsPerSecond\":0.0,\"metrics\":{",
              "\"avgOffsetsBehindLatest\":\"0.0\",\"maxOffsetsBehindLatest\":\"0\",",
              "\"minOffsetsBehindLatest\":\"0\",\"numMalformedRows\":\"0\"}}],\"sink\":{",
              "\"description\":\"parquet[\",\"numOutputRows\":0}}},{\"timeline\":0,\"batch\":1,",
              "\"progress\":{\"id\":\"\"}}]},\"crc32c\":\"\"}\n")
          .getBytes(StandardCharsets.US_ASCII);

  private PackingDictionary() {}

  /** The caller must not change them. */
  static byte[] bytes() {
    return BYTES;
  }

  /** The Adler-32 by which streams name it. */
  static int checksum() {
    Adler32 checksum = new Adler32();
    checksum.update(BYTES);
    return (int) checksum.getValue();
  }
}

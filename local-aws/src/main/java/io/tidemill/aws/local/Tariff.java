package io.tidemill.aws.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import java.util.Optional;

/** Says how a service charges a request. */
enum Tariff {
  /**
   * S3 by class of request. <a
   * href="https://docs.aws.amazon.com/AmazonS3/latest/userguide/aws-billing-reports.html">Which
   * requests are in which</a>.
   */
  S3 {
    @Override
    boolean looksIntoReplies() {
      return false;
    }

    @Override
    Charge charge(Asked asked, int status, byte[] reply) {
      return switch (asked.method()) {
        case "PUT" -> Charge.of(Charge.Kind.S3_PUT);
        case "POST" -> isDeletion(asked) ? Charge.NOTHING : Charge.of(Charge.Kind.S3_PUT);
        case "GET" -> Charge.of(isListing(asked) ? Charge.Kind.S3_PUT : Charge.Kind.S3_GET);
        case "HEAD" -> Charge.of(Charge.Kind.S3_GET);
        default -> Charge.NOTHING;
      };
    }

    private boolean isDeletion(Asked asked) {
      return asked.query().filter(q -> q.equals("delete") || q.startsWith("delete=")).isPresent();
    }

    /** Whether it names a bucket and no object. */
    private boolean isListing(Asked asked) {
      String afterSlash = asked.path().substring(1);
      int slash = afterSlash.indexOf('/');
      return slash < 0 || slash == afterSlash.length() - 1;
    }
  },

  /**
   * DynamoDB by the units that it says in its replies. A write whose condition does not hold is
   * charged like one that does; its reply says no units, so they are those of what was sent. <a
   * href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html">Units
   * of each operation</a>.
   */
  DYNAMO {
    private static final int WRITE_UNIT_BYTES = 1024;

    @Override
    boolean looksIntoReplies() {
      return true;
    }

    @Override
    Charge charge(Asked asked, int status, byte[] reply) {
      String operation = asked.target().map(t -> t.substring(t.indexOf('.') + 1)).orElse("");
      return switch (operation) {
        case "GetItem", "BatchGetItem", "Query", "Scan" ->
            new Charge(Charge.Kind.DYNAMO_READ, consumed(reply));
        case "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem" ->
            new Charge(Charge.Kind.DYNAMO_WRITE, written(asked, status, reply));
        default -> Charge.NOTHING;
      };
    }

    private double written(Asked asked, int status, byte[] reply) {
      boolean refused = status == 400 && type(reply).endsWith("ConditionalCheckFailedException");
      return refused ? sent(asked) : consumed(reply);
    }

    private double sent(Asked asked) {
      return Math.ceil((double) asked.bodyBytes() / WRITE_UNIT_BYTES);
    }

    private String type(byte[] reply) {
      return Json.read(reply, JsonNode.class).path("__type").asText();
    }

    private double consumed(byte[] reply) {
      JsonNode consumed = Json.read(reply, JsonNode.class).path("ConsumedCapacity");
      if (!consumed.isArray()) {
        return consumed.path("CapacityUnits").asDouble();
      }
      double units = 0;
      for (JsonNode table : consumed) {
        units += table.path("CapacityUnits").asDouble();
      }
      return units;
    }
  };

  /**
   * A request.
   *
   * @param path begins with a slash
   * @param query without its question mark
   * @param target DynamoDB's header that names the operation
   * @param bodyBytes length of its body
   */
  record Asked(
      String method,
      String path,
      Optional<String> query,
      Optional<String> target,
      long bodyBytes) {}

  /** Whether a charge depends on the reply's body. */
  abstract boolean looksIntoReplies();

  /**
   * The charge of a request.
   *
   * @param reply the reply's body; empty if this does not look into it
   */
  abstract Charge charge(Asked asked, int status, byte[] reply);
}

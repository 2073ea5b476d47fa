package io.tidemill.checkpoint;

/**
 * Who works on a query, and until when nobody else should try. Avoids pointless contests; safety
 * comes from compare-and-set.
 *
 * @param owner who it is, as the owner names itself, or empty if nobody owns the query
 * @param expiresAtMillis milliseconds since the epoch
 */
public record Lease(String owner, long expiresAtMillis) {
  public static final Lease NONE = new Lease("", 0);

  boolean live(long nowMillis) {
    return !owner.isEmpty() && nowMillis < expiresAtMillis;
  }
}

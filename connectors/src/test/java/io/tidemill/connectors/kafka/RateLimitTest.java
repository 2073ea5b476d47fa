package io.tidemill.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static PartitionOffsets offsets(long... offsets) {
    Map<TopicPartition, Long> map = new TreeMap<>(PartitionOffsets.ORDER);
    for (int i = 0; i < offsets.length; i++) {
      map.put(new TopicPartition("t", i), offsets[i]);
    }
    return PartitionOffsets.of(map);
  }

  @Test
  void sharesAreProportionalAndRoundedDown() {
    // Shares 3.33 and 6.66.
    assertThat(RateLimit.ends(10, offsets(0, 0), offsets(100, 200))).isEqualTo(offsets(3, 6));
  }

  @Test
  void shareBelowOneIsRoundedUpSoThatNoPartitionStarves() {
    // Shares 9.97 and 0.03: ten offsets although the sum of both is more than the limit's.
    assertThat(RateLimit.ends(10, offsets(0, 5), offsets(1000, 8))).isEqualTo(offsets(9, 6));
    assertThat(RateLimit.ends(1, offsets(0, 0, 0), offsets(5, 5, 5))).isEqualTo(offsets(1, 1, 1));
  }

  @Test
  void neverGoesBeyondTheLatestOffset() {
    assertThat(RateLimit.ends(100, offsets(2, 0), offsets(4, 0))).isEqualTo(offsets(4, 0));
    assertThat(RateLimit.ends(Long.MAX_VALUE, offsets(2), offsets(Long.MAX_VALUE)))
        .isEqualTo(offsets(Long.MAX_VALUE));
  }

  @Test
  void partitionsWithoutNewRecordsStayAndTakeNoShare() {
    assertThat(RateLimit.ends(4, offsets(7, 0, 0), offsets(7, 10, 10))).isEqualTo(offsets(7, 2, 2));
    assertThat(RateLimit.ends(4, offsets(7), offsets(7))).isEqualTo(offsets(7));
  }

  @Test
  void shrunkPartitionKeepsItsEndForTheDataLossCheck() {
    assertThat(RateLimit.ends(4, offsets(9, 0), offsets(3, 10))).isEqualTo(offsets(3, 4));
  }

  @Test
  void repeatedBatchesReachTheEndWithoutSkippingAnything() {
    long seed = 20260101;
    Random random = new Random(seed);
    for (int run = 0; run < 200; run++) {
      long[] start = random.longs(4, 0, 50).toArray();
      long[] end = new long[4];
      for (int i = 0; i < 4; i++) {
        end[i] = start[i] + random.nextInt(100);
      }
      PartitionOffsets at = offsets(start);
      int batches = 0;
      while (!at.equals(offsets(end))) {
        PartitionOffsets next = RateLimit.ends(1 + random.nextInt(20), at, offsets(end));
        assertThat(next).as("seed %d run %d", seed, run).isNotEqualTo(at);
        for (TopicPartition p : at.partitions()) {
          assertThat(next.map().get(p)).isGreaterThanOrEqualTo(at.map().get(p));
        }
        at = next;
        assertThat(++batches).isLessThan(500);
      }
    }
  }
}

package io.tidemill.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RangeDivisionTest {
  private static RangeDivision max(long records) {
    return new RangeDivision(OptionalLong.of(records), OptionalLong.empty());
  }

  private static RangeDivision min(long partitions) {
    return new RangeDivision(OptionalLong.empty(), OptionalLong.of(partitions));
  }

  private static KafkaRange range(int partition, long from, long until) {
    return new KafkaRange("t", partition, from, until);
  }

  private static List<Long> sizes(List<KafkaRange> ranges) {
    return ranges.stream().map(KafkaRange::size).toList();
  }

  @Test
  void withoutLimitsThereIsOneRangeAPartitionAndNoneForEmptyOnes() {
    RangeDivision none = new RangeDivision(OptionalLong.empty(), OptionalLong.empty());
    assertThat(none.divide(List.of(range(0, 0, 5), range(1, 3, 3), range(2, 1, 9))))
        .containsExactly(range(0, 0, 5), range(2, 1, 9));
  }

  @Test
  void largeRangesAreDividedByMaxRecordsPerPartition() {
    assertThat(max(4).divide(List.of(range(0, 0, 10), range(1, 0, 4))))
        .containsExactly(range(0, 0, 3), range(0, 3, 6), range(0, 6, 10), range(1, 0, 4));
  }

  @Test
  void minPartitionsDividesBySizeAndTheLastPartTakesTheRemainder() {
    assertThat(sizes(min(3).divide(List.of(range(0, 0, 10))))).containsExactly(3L, 3L, 4L);
    assertThat(sizes(min(4).divide(List.of(range(0, 0, 100), range(1, 0, 300)))))
        .containsExactly(100L, 100L, 100L, 100L);
  }

  @Test
  void smallRangesLeaveThePoolBeforeTheOthersAreDivided() {
    // 1 of 10,001 stays whole; the other gets the four partitions that remain.
    assertThat(sizes(min(5).divide(List.of(range(0, 0, 1), range(1, 0, 10_000)))))
        .containsExactly(1L, 2_500L, 2_500L, 2_500L, 2_500L);
  }

  @Test
  void minPartitionsNotAboveTheNumberOfRangesChangesNothing() {
    List<KafkaRange> ranges = List.of(range(0, 0, 100), range(1, 0, 1));
    assertThat(min(2).divide(ranges)).isEqualTo(ranges);
  }

  @Test
  void bothLimitsWorkTogether() {
    RangeDivision both = new RangeDivision(OptionalLong.of(50), OptionalLong.of(4));
    assertThat(sizes(both.divide(List.of(range(0, 0, 100))))).containsExactly(25L, 25L, 25L, 25L);
  }

  @Test
  void partsCoverTheRangeWithoutGapsOrEmptyParts() {
    for (long size = 1; size < 40; size++) {
      for (long partitions = 1; partitions < 60; partitions++) {
        List<KafkaRange> parts = min(partitions).divide(List.of(range(0, 7, 7 + size)));
        List<Long> borders = new ArrayList<>(List.of(7L));
        for (KafkaRange part : parts) {
          assertThat(part.from()).isEqualTo(borders.get(borders.size() - 1));
          assertThat(part.size()).isPositive();
          borders.add(part.until());
        }
        assertThat(borders.get(borders.size() - 1)).isEqualTo(7 + size);
      }
    }
  }
}

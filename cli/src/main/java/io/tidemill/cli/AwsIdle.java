package io.tidemill.cli;

import java.util.List;

/**
 * What a job costs while there is nothing to do.
 *
 * @param schedules when it is triggered, as EventBridge Scheduler writes it
 * @param dollarsPerMonth at list prices, in 30 days
 */
record AwsIdle(List<String> schedules, double dollarsPerMonth) {
  AwsIdle {
    schedules = List.copyOf(schedules);
  }
}

package io.tidemill.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Sixteen threads that do something at the same moment. */
public final class Racers implements AutoCloseable {
  public static final int COUNT = 16;

  private final ExecutorService threads = Executors.newFixedThreadPool(COUNT);

  /** What each racer got, by its number. */
  public <T> List<T> race(IntFunction<T> racer) throws Exception {
    CyclicBarrier start = new CyclicBarrier(COUNT);
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      int number = i;
      running.add(
          threads.submit(
              () -> {
                start.await();
                return racer.apply(number);
              }));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> one : running) {
      results.add(one.get());
    }
    return results;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

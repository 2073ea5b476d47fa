package io.tidemill.orchestrator;

/** What others ask of a running query. Thread-safe. */
final class Control {
  private boolean stopRequested;
  private long asked;
  private long answered;
  private boolean ended;

  /** Asks for an end after the batch. */
  synchronized void requestStop() {
    stopRequested = true;
  }

  synchronized boolean stopRequested() {
    return stopRequested;
  }

  /** Asks for everything available to be processed; the number to wait for. */
  synchronized long ask() {
    return ++asked;
  }

  /** The newest question, to be answered if a look that starts now finds nothing to do. */
  synchronized long asked() {
    return asked;
  }

  synchronized boolean hasOpenQuestion() {
    return answered < asked;
  }

  /** Everything that was available at that question is done. */
  synchronized void answer(long question) {
    answered = question;
    notifyAll();
  }

  /** The query has ended; nobody waits any longer. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Waits until the question is answered or the query has ended. */
  synchronized void awaitAnswer(long question) throws InterruptedException {
    while (answered < question && !ended) {
      wait();
    }
  }
}

package io.tidemill.lambda.run;

import io.tidemill.lambda.message.JobReference;
import io.tidemill.orchestrator.Invoker;
import io.tidemill.storage.Store;

/** Opens what hands the tasks of one query to functions. */
@FunctionalInterface
public interface TaskInvokers {
  /** Opens an invoker for one run; the caller closes it. */
  Invoker open(JobReference job, Store checkpoint);
}

package io.tidemill.lambda.handler;

import io.quarkus.runtime.StartupEvent;
import io.tidemill.lambda.handler.kafka.KafkaPriming;
import io.tidemill.lambda.platform.Platform;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * Before Lambda takes its snapshot of a function: loads what the first invocation would load
 * otherwise. Nothing of it reaches anything outside, and nothing stays open.
 */
@Singleton
final class Priming implements Resource {
  void register(@Observes StartupEvent started) {
    Core.getGlobalContext().register(this);
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) throws Exception {
    Platform platform = ThisProcess.platform();
    long started = platform.clock().millis();
    PrimingQuery.run(platform);
    KafkaPriming.ask();
    AwsPriming.ask(platform.environment().batchFunction().isPresent());
    platform.clients().s3();
    platform.clients().dynamo();
    if (platform.environment().batchFunction().isPresent()) {
      ThisProcess.calls().client();
    }
    platform
        .metrics()
        .write("priming", Map.of("PrimingMillis", platform.clock().millis() - started));
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    // Clients connect when they are used; random numbers and ids are the system's.
  }
}

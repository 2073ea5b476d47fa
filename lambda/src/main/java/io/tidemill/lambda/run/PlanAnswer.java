package io.tidemill.lambda.run;

import io.tidemill.checkpoint.PlanIdentity;
import io.tidemill.checkpoint.StoredHead;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.Fingerprint;
import io.tidemill.query.plan.QueryPlan;
import java.util.Map;
import java.util.Optional;

/**
 * What a query is, and whether it may go on from its checkpoint.
 *
 * @param trigger as in a job
 * @param guarantee what its sink promises
 * @param stages how many
 * @param parts what must not change under the checkpoint, in words
 * @param compatible true if there is no checkpoint or it belongs to this form of the query
 * @param differences why not, in words
 */
record PlanAnswer(
    String query,
    String fingerprint,
    String trigger,
    String checkpoint,
    String guarantee,
    int stages,
    Map<String, String> parts,
    boolean compatible,
    Map<String, String> differences) {

  static PlanAnswer of(QueryPlan plan, Optional<StoredHead> head, Connectors connectors) {
    PlanIdentity job = new PlanIdentity(plan.fingerprint(), Fingerprint.parts(plan));
    Map<String, String> differences =
        head.map(h -> h.head().plan().differences(job)).orElse(Map.of());
    boolean compatible =
        head.map(h -> h.head().plan().fingerprint().equals(plan.fingerprint())).orElse(true);
    ConnectorSpec sink = plan.sink().connector();
    Options options = new Options(sink.owner(), sink.options(), sink.origins());
    return new PlanAnswer(
        plan.name(),
        plan.fingerprint(),
        plan.settings().trigger().text(),
        plan.settings().checkpoint(),
        connectors.sink(sink.connector(), options).guarantee(options).text(),
        plan.stages().size(),
        job.parts(),
        compatible,
        differences);
  }
}

package io.tidemill.orchestrator;

import io.tidemill.checkpoint.OwnerProbe;
import io.tidemill.connectors.Connectors;
import io.tidemill.protocol.Ids;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Register;
import java.time.InstantSource;

/**
 * What a run works with. The caller keeps and closes all of it.
 *
 * @param checkpoint blobs of this query's checkpoint
 * @param register holds this query's head
 * @param owner names this process for the lease
 * @param probe knows processes that are gone
 */
public record RunEnvironment(
    Connectors connectors,
    Blob checkpoint,
    Register register,
    Invoker invoker,
    InstantSource clock,
    Ids ids,
    String owner,
    OwnerProbe probe) {}

/**
 * What a deployed stack is, read from its templates: who may do what in {@link
 * io.tidemill.infra.Permissions}, what functions are told in {@link
 * io.tidemill.infra.DeployedFunctions}.
 */
package io.tidemill.infra;

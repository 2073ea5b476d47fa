/** AWS that fails on purpose, for contract suites and chaos. */
package io.tidemill.storage.aws.fault;

/** Storage that fails on purpose, for contract suites and the simulation. */
package io.tidemill.storage.fault;

/** Storage in memory. */
package io.tidemill.storage.memory;

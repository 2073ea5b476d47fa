/** Storage in a directory. */
package io.tidemill.storage.local;

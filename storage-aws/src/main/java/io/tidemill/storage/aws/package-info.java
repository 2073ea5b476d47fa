/** AWS clients: how they are made, counted and repeated. */
package io.tidemill.storage.aws;

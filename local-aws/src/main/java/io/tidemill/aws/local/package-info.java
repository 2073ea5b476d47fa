/** Runs jobs through the packaged functions on this machine, and says what that would cost. */
package io.tidemill.aws.local;

/** Heads too large for the register, on each kind of checkpoint. */
package io.tidemill.heads;

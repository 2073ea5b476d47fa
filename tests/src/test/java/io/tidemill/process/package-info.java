/** The command as a process of its own, as tests start, watch and end it. */
package io.tidemill.process;

/** What the command says about wrong jobs, damaged checkpoints and a failing world. */
package io.tidemill.badinput;

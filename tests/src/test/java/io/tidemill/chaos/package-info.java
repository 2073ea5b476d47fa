/**
 * The functions while everything goes wrong: processes die and freeze, invocations are lost and
 * doubled, storage refuses and does not answer. In one process with the code of the functions
 * ({@code ChaosTest}), and with processes of their own ({@code tests/chaos/run}).
 */
package io.tidemill.chaos;

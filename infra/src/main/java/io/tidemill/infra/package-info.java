/**
 * Who may do what in a deployed stack, read from its templates: {@link
 * io.tidemill.infra.Permissions}.
 */
package io.tidemill.infra;

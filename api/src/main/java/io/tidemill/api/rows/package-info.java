/** Rows in memory as static tables. */
package io.tidemill.api.rows;

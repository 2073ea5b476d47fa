/** Types and time patterns in Spark's spelling. */
package io.tidemill.api.types;

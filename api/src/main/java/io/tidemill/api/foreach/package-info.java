/** The sink that hands batches to functions of the program. */
package io.tidemill.api.foreach;

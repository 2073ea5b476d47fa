/** Jobs through the packages of the functions and the host that runs them as Lambda does. */
package io.tidemill.functions;

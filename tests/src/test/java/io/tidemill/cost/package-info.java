/** What queries ask of AWS, counted where its clients send it. */
package io.tidemill.cost;

/** Jobs as functions find them: a folder of files, with references to secrets. */
package io.tidemill.lambda.job;

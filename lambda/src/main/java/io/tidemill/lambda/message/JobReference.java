package io.tidemill.lambda.message;

import java.util.Map;

/**
 * Names a query of a job in the functions' folder of jobs.
 *
 * @param job file name in the folder
 * @param textHash SHA-256 of the file's text, in hexadecimal: a function that has read another text
 *     reads it again
 * @param query the query's name, which is its sink's
 * @param variables values that win over environment variables
 */
public record JobReference(
    String job, String textHash, String query, Map<String, String> variables) {
  public JobReference {
    variables = variables == null ? Map.of() : Map.copyOf(variables);
  }
}

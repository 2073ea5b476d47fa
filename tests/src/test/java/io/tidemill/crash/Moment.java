package io.tidemill.crash;

/** When a kill comes. */
enum Moment {
  STARTING("after the start"),
  RUNNING("after the first batch"),
  TASK_RECORDED("after a task record behind that"),
  HEAD_WRITTEN("after a write of the head behind that");

  private final String text;

  Moment(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}

"""What infra/queries makes of jobs."""

import contextlib
import importlib.machinery
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True


def load():
    loader = importlib.machinery.SourceFileLoader("queries", str(HERE.parent / "queries"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("queries", loader))
    sys.modules["queries"] = module
    loader.exec_module(module)
    return module


queries = load()
INSERT = "INSERT INTO revenue SELECT 1;"


def only(sql):
    (query,) = queries.queries_of("job.sql", sql)
    return query


class JobsAreScheduled(unittest.TestCase):
    def test_aRateIsTakenFromTheComment(self):
        query = only("-- schedule: rate(15 minutes)\nSET trigger = 'available-now';" + INSERT)
        self.assertEqual(("revenue", "rate(15 minutes)"), (query.name, query.schedule))
        self.assertEqual((900, 3, 3_600, 900_000), periods(query))

    def test_anIntervalTriggerNeedsNoComment(self):
        self.assertEqual("rate(10 minutes)", only("SET trigger = '10 minutes';" + INSERT).schedule)
        self.assertEqual("rate(2 minutes)", only("SET trigger = '90 seconds';" + INSERT).schedule)

    def test_aTriggerBelowAMinuteIsKeptRunningByOneAMinute(self):
        self.assertEqual("rate(1 minute)", only("SET trigger = '500 ms';" + INSERT).schedule)
        self.assertEqual("rate(1 minute)", only(INSERT).schedule)

    def test_aVariableInTheTriggerHasItsDefault(self):
        self.assertEqual("rate(5 minutes)", only("SET trigger = '${EVERY:5 minutes}';" + INSERT).schedule)

    def test_aCronExpressionIsExpectedOnceADayUnlessSaidOtherwise(self):
        job = "-- schedule: cron(0 6 ? * MON-FRI *)\n-- time-zone: Europe/Berlin\n"
        self.assertEqual((86_400, 3, 86_400, 86_400_000), periods(only(job + INSERT)))
        self.assertEqual("Europe/Berlin", only(job + INSERT).time_zone)
        self.assertEqual(4, only(job + "-- expect-every: 3 days\n" + INSERT).expect_periods)

    def test_noAlarmLooksBackMoreThanAWeek(self):
        self.assertEqual(0, only("-- schedule: rate(7 days)\n" + INSERT).expect_periods)

    def test_limitsOfAlarmsAreTakenFromComments(self):
        query = only("-- idle-after: 2 hours\n-- slow-after: 90 seconds\n" + INSERT)
        self.assertEqual((60, 3, 7_200, 90_000), periods(query))

    def test_everyInsertIsAQuery(self):
        found = queries.queries_of("job.sql", "-- schedule: rate(1 hour)\n" + INSERT + 'insert into "a-b" SELECT 2')
        self.assertEqual(["revenue", "a-b"], [q.name for q in found])

    def test_commentsAndTextsHoldNoStatements(self):
        sql = "/* INSERT INTO a */ -- ; INSERT INTO b\nCREATE SINK revenue WITH (x = '; INSERT INTO c');" + INSERT
        self.assertEqual("revenue", only(sql).name)

    def test_theExampleHasASchedule(self):
        example = HERE.parent.parent / "examples" / "orders" / "revenue.sql"
        self.assertEqual("rate(15 minutes)", only(example.read_text(encoding="utf-8")).schedule)


class MistakesAreRefused(unittest.TestCase):
    def refused(self, sql, message):
        with self.assertRaisesRegex(queries.Mistake, message):
            queries.queries_of("job.sql", sql)

    def test_availableNowWithoutASchedule(self):
        self.refused("SET trigger = 'available-now';" + INSERT, "add a line such as")

    def test_aJobWithoutAQuery(self):
        self.refused("SET trigger = 'default';", "no INSERT INTO")

    def test_schedulesThatAreNone(self):
        for schedule in ("rate(0 minutes)", "rate(90 seconds)", "rate(often)", "cron(0 6 * * ?)", "daily", ""):
            self.refused(f"-- schedule: {schedule}\nSET trigger = 'once';" + INSERT, "")
        self.refused('-- schedule: cron(0 6 * * ? ")\n' + INSERT, "is no schedule")

    def test_timesThatAreNone(self):
        self.refused("-- idle-after: soon\n" + INSERT, "is no time")
        self.refused('-- time-zone: "x"\n' + INSERT, "is no time zone")

    def test_aFileNameThatNoEventShouldHold(self):
        with self.assertRaisesRegex(queries.Mistake, "its name has signs"):
            queries.queries_of('a".sql', INSERT)

    def test_aCommentThatIsThereTwice(self):
        self.refused("-- slow-after: 1 hour\n-- slow-after: 2 hours\n" + INSERT, "twice")

    def test_namesThatNoScheduleCanHave(self):
        self.refused('INSERT INTO "a b" SELECT 1', "cannot be the name")

    def test_twoQueriesOfOneName(self):
        with tempfile.TemporaryDirectory() as folder:
            for job in ("a.sql", "b.sql"):
                Path(folder, job).write_text(INSERT, encoding="utf-8")
            with self.assertRaisesRegex(queries.Mistake, "b.sql: another query is called 'revenue' too"):
                queries.queries_in(Path(folder))


class TheTemplate(unittest.TestCase):
    def test_aQueryIsAStackOfItsOwn(self):
        text = queries.template([only("-- schedule: rate(1 hour)\n" + INSERT)])
        self.assertIn("  QueryRevenue:\n    Type: AWS::CloudFormation::Stack\n", text)
        self.assertIn('        Job: "job.sql"\n', text)
        self.assertIn('        Schedule: "rate(1 hour)"\n', text)
        self.assertIn("        OrchestratorArn: !Ref OrchestratorArn\n", text)

    def test_namesThatDifferInSignsOnlyHaveDifferentIds(self):
        found = queries.queries_of("job.sql", "INSERT INTO a_b SELECT 1; INSERT INTO \"a-b\" SELECT 1; INSERT INTO ab SELECT 1")
        self.assertEqual(["QueryAB", "QueryABx2", "QueryAb"], queries.logical_ids(found))

    def test_withoutQueriesThereIsStillAResource(self):
        self.assertIn("AWS::CloudFormation::WaitConditionHandle", queries.template([]))

    def test_aFolderThatIsNoneIsAMistake(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(2, queries.main([str(HERE / "nowhere")]))
        self.assertIn("is no folder", said.getvalue())


def periods(query):
    return query.expect_seconds, query.expect_periods, query.idle_seconds, query.backlog_millis


if __name__ == "__main__":
    unittest.main()

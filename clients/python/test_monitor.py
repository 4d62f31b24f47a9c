"""Monitors: made, changed, run, read and deleted by the methods of the client."""

import time
import unittest

from firecrawl.v2.types import MonitorSchedule, MonitorTarget
from firecrawl.v2.utils import FirecrawlError

from support import Case, site


class Monitors(Case):
    def make(self, paths, **options):
        request = {"name": "Watched", "schedule": MonitorSchedule(text="every 30 minutes"), **options}
        request["targets"] = [MonitorTarget(type="scrape", urls=[site(path) for path in paths])]
        made = self.client.create_monitor(**request)
        self.addCleanup(self.client.delete_monitor, made.id)
        return made

    def ended(self, monitor, check):
        while True:
            found = self.client.get_monitor_check(monitor, check)
            if found.status not in ("queued", "running"):
                return found
            time.sleep(0.1)

    def test_life(self):
        made = self.make(["/changing", "/steady"], goal="prices", retention_days=7)
        self.assertEqual((made.status, made.schedule.cron, made.retention_days), ("active", "*/30 * * * *", 7))
        self.assertIn(made.id, [m.id for m in self.client.list_monitors(limit=100)])
        first = self.ended(made.id, self.client.run_monitor(made.id).id)
        self.assertEqual([p.status for p in first.pages], ["new", "new"])
        self.assertEqual((first.status, first.billing_status, first.trigger), ("completed", "confirmed", "manual"))
        second = self.ended(made.id, self.client.run_monitor(made.id).id)
        statuses = {p.url: p for p in second.pages}
        self.assertEqual(statuses[site("/steady")].status, "same")
        changed = statuses[site("/changing")]
        self.assertEqual(changed.status, "changed")
        self.assertTrue(changed.diff.text.startswith("--- previous\n+++ current\n"))
        self.assertEqual(self.client.list_monitor_checks(made.id, limit=1)[0].id, second.id)
        paused = self.client.update_monitor(made.id, status="paused", name="Paused")
        self.assertEqual((paused.status, paused.name, self.client.get_monitor(made.id).next_run_at), ("paused", "Paused", None))
        with self.assertRaisesRegex(FirecrawlError, "paused"):
            self.client.run_monitor(made.id)

    def test_all_pages(self):
        made = self.make([f"/a?number={i}" for i in range(30)])
        check = self.ended(made.id, self.client.run_monitor(made.id).id)
        self.assertEqual((len(check.pages), check.summary.total_pages), (30, 30))

    def test_refused(self):
        with self.assertRaisesRegex(FirecrawlError, "divide evenly into 60"):
            self.make(["/a"], schedule=MonitorSchedule(text="every 7 minutes"))
        with self.assertRaisesRegex(FirecrawlError, "Monitor not found"):
            self.client.get_monitor("00000000-0000-0000-0000-000000000000")


if __name__ == "__main__":
    unittest.main()

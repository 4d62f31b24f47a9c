"""Batches and crawls: started, waited for, watched, cancelled, listed, and their
errors."""

import threading
import unittest

from firecrawl import CrawlJobTimeoutError, FirecrawlError
from firecrawl.v2.types import PaginationConfig, ScrapeOptions, WebhookConfig

from support import LIMIT, POLL, Case, site, unique

MANY = 60


class Watched:
    """What a watcher tells about a job until it has ended."""

    def __init__(self, client, job_id, kind):
        self.documents, self.statuses, self.final = [], [], None
        self._done = threading.Event()
        watcher = client.watcher(job_id, kind=kind, poll_interval=1, timeout=LIMIT)
        watcher.add_event_listener("document", lambda event: self.documents.append(event["data"]))
        watcher.add_event_listener("done", self._end)
        watcher.add_event_listener("error", self._end)
        watcher.add_listener(lambda job: self.statuses.append(job.status))
        watcher.start()
        if not self._done.wait(LIMIT):
            watcher.stop()
            raise TimeoutError("the watcher saw no end")
        watcher.stop()

    def _end(self, event):
        self.final = event
        self._done.set()


class Batch(Case):
    URLS = [site("/a"), site("/b"), site("/blog/1")]

    def test_waiter(self):
        job = self.client.batch_scrape(
            self.URLS, formats=["markdown", "links"], poll_interval=POLL, wait_timeout=LIMIT, max_concurrency=2
        )
        self.assertEqual((job.status, job.completed, job.total, job.credits_used), ("completed", 3, 3, 3))
        self.assertTrue(job.expires_at)
        self.assertIsNone(job.next)
        self.assert_paths(job.data, "/a", "/b", "/blog/1")
        self.assertTrue(all(doc.markdown and doc.links is not None for doc in job.data))

    def test_start_and_status(self):
        started = self.client.start_batch_scrape(
            self.URLS + ["http://"], ignore_invalid_urls=True, idempotency_key=unique("batch")
        )
        self.assertEqual(started.invalid_urls, ["http://"])
        self.assertIn(started.id, started.url)
        job = self.client.get_batch_scrape_status(started.id)
        self.assertIn(job.status, ("scraping", "completed"))

    def test_append(self):
        # The first page waits for the second.
        started = self.client.start_batch_scrape([site("/gate?name=batch")])
        again = self.client.start_batch_scrape([site("/switch?name=batch")], append_to_id=started.id)
        self.assertEqual(again.id, started.id)
        Watched(self.client, started.id, "batch")
        self.assert_paths(self.client.get_batch_scrape_status(started.id).data, "/gate?name=batch", "/switch?name=batch")

    def test_watcher(self):
        started = self.client.start_batch_scrape(self.URLS)
        seen = Watched(self.client, started.id, "batch")
        self.assertEqual(seen.final["status"], "completed")
        self.assertEqual(seen.statuses[-1], "completed")
        self.assertEqual({doc["metadata"]["sourceURL"] for doc in seen.documents}, set(self.URLS))

    def test_cancel(self):
        started = self.client.start_batch_scrape([site(f"/slow?ms=3000&n={n}") for n in range(20)], max_concurrency=1)
        self.assertTrue(self.client.cancel_batch_scrape(started.id))
        self.assertEqual(self.client.get_batch_scrape_status(started.id).status, "cancelled")

    def test_errors(self):
        # Nothing listens on port 9.
        job = self.client.start_batch_scrape([site("/a"), "http://127.0.0.1:2/"])
        Watched(self.client, job.id, "batch")
        report = self.client.get_batch_scrape_errors(job.id)
        self.assertEqual([error.url for error in report.errors], ["http://127.0.0.1:2/"])
        self.assertTrue(report.errors[0].error)
        self.assertTrue(report.errors[0].timestamp)
        self.assertEqual(report.robots_blocked, [])

    def test_pages(self):
        job = self.client.batch_scrape(
            [site(f"/a?{unique('page')}") for _ in range(4)], poll_interval=POLL, wait_timeout=LIMIT
        )
        self.assertEqual(len(job.data), 4)


class Crawl(Case):
    def test_waiter(self):
        job = self.client.crawl(
            site("/blog/1"),
            include_paths=["^/blog/.*"],
            crawl_entire_domain=True,
            max_discovery_depth=2,
            sitemap="include",
            limit=10,
            scrape_options=ScrapeOptions(formats=["markdown", "links"], only_main_content=True),
            poll_interval=POLL,
            timeout=LIMIT,
        )
        self.assertEqual(job.status, "completed")
        self.assert_paths(job.data, *(f"/blog/{n}" for n in range(1, 6)))
        self.assertEqual((job.completed, job.total, job.credits_used), (5, 5, 5))
        self.assertTrue(all(doc.markdown for doc in job.data))

    def test_options(self):
        started = self.client.start_crawl(
            site("/blog/1"),
            exclude_paths=["^/many/.*"],
            sitemap="skip",
            ignore_query_parameters=True,
            limit=1,
            crawl_entire_domain=False,
            allow_external_links=False,
            allow_subdomains=False,
            max_concurrency=1,
            delay=1,
            webhook=WebhookConfig(url=site("/a"), events=["completed"], metadata={"run": "1"}, headers={"X-Run": "1"}),
            formats=["markdown", {"type": "attributes", "selectors": [{"selector": "a", "attribute": "href"}]}],
            zero_data_retention=False,
            integration="fixture",
        )
        job = self.client.wait_crawl(started.id, poll_interval=POLL, timeout=LIMIT)
        self.assertEqual((job.status, job.total), ("completed", 1))

    def test_prompt(self):
        job = self.client.crawl(
            site("/blog/1"), prompt="Only the articles of the blog, at most three", poll_interval=POLL, timeout=LIMIT
        )
        self.assertEqual(job.status, "completed")
        self.assertLessEqual(len(job.data), 3)

    def test_watcher(self):
        started = self.client.start_crawl(site("/"), limit=3)
        seen = Watched(self.client, started.id, "crawl")
        self.assertEqual(seen.final["status"], "completed")
        self.assertEqual(seen.statuses[-1], "completed")
        self.assertEqual(len(seen.documents), 3)

    def test_watcher_of_unknown_job(self):
        seen = Watched(self.client, "00000000-0000-4000-8000-000000000000", "crawl")
        self.assertTrue(seen.final["error"])
        self.assertEqual(seen.statuses, ["failed"])

    def test_pages(self):
        job = self.client.crawl(site("/many/"), limit=MANY, sitemap="skip", poll_interval=POLL, timeout=LIMIT)
        self.assertEqual(len(job.data), MANY)
        few = self.client.get_crawl_status(job.id, pagination_config=PaginationConfig(max_results=7))
        self.assertGreaterEqual(len(few.data), 7)
        part = self.client.get_crawl_status_page(f"{site('')}/v2/crawl/{job.id}?skip=50&limit=5")
        self.assertEqual((len(part.data), part.id), (5, job.id))
        rest = self.client.get_crawl_status_page(part.next)
        self.assertEqual((len(rest.data), rest.next), (5, None))

    def test_active_and_cancel(self):
        started = self.client.start_crawl(site("/many/"), limit=MANY, sitemap="skip", delay=1)
        active = self.client.get_active_crawls()
        mine = [crawl for crawl in active.crawls if crawl.id == started.id]
        self.assertEqual([crawl.url for crawl in mine], [site("/many/")])
        self.assertEqual(mine[0].options["limit"], MANY)
        self.assertTrue(mine[0].team_id)
        with self.assertRaises(CrawlJobTimeoutError) as raised:
            self.client.wait_crawl(started.id, poll_interval=POLL, timeout=0)
        self.assertEqual(raised.exception.job_id, started.id)
        self.assertTrue(self.client.cancel_crawl(started.id))
        self.assertEqual(self.client.get_crawl_status(started.id).status, "cancelled")
        self.assertNotIn(started.id, [crawl.id for crawl in self.client.active_crawls().crawls])

    def test_cancel_what_is_over(self):
        job = self.client.crawl(site("/a"), limit=1, sitemap="skip", poll_interval=POLL, timeout=LIMIT)
        self.assertFalse(self.client.cancel_crawl(job.id))

    def test_errors(self):
        job = self.client.crawl("http://127.0.0.1:2/", limit=1, poll_interval=POLL, timeout=LIMIT)
        self.assertIn(job.status, ("completed", "failed"))
        self.assertEqual(job.data, [])
        report = self.client.get_crawl_errors(job.id)
        self.assertEqual([error.url for error in report.errors], ["http://127.0.0.1:2/"])
        self.assertTrue(report.errors[0].code)

    def test_preview(self):
        params = self.client.crawl_params_preview(site("/"), "Only the articles of the blog, at most three")
        self.assertEqual(params.limit, 3)
        self.assertTrue(any("blog" in path for path in params.include_paths))

    def test_old_names(self):
        job = self.client.crawl_url(site("/a"), params={"limit": 1, "ignoreSitemap": True}, poll_interval=POLL)
        self.assertEqual(job.status, "completed")
        with self.assertRaises(FirecrawlError):
            self.client.check_crawl_status(job.id + "0")


if __name__ == "__main__":
    unittest.main()

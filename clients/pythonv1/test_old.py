"""The Python client as it was before /v2: version 1, which answers with what came."""

import loopback  # noqa: F401, first, so that no client exists without it

import asyncio
import os
import sys
import unittest

# Before the newest client, and the newest websockets, which this one does not know.
sys.path.insert(0, os.environ["PYTHON_V1"])

import firecrawl  # noqa: E402

SITE = os.environ["SITE_URL"]
PAGES = [SITE + path for path in ("/a", "/b", "/blog/1")]
SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}


def addresses(docs):
    return sorted(doc["metadata"]["sourceURL"] for doc in docs)


class Old(unittest.TestCase):
    def setUp(self):
        self.assertEqual(firecrawl.__version__, "1.17.0")
        self.app = firecrawl.FirecrawlApp(api_key=os.environ["TRAWL_KEY"], api_url=os.environ["TRAWL_URL"])

    def watch(self, watcher):
        documents, ended = [], []
        watcher.add_event_listener("document", lambda event: documents.append(event["data"]))
        watcher.add_event_listener("done", ended.append)
        watcher.add_event_listener("error", ended.append)
        asyncio.run(watcher.connect())
        self.assertEqual([event["status"] for event in ended], ["completed"])
        return ended[0]["data"]

    def test_scrape(self):
        doc = self.app.scrape_url(SITE + "/a", {"formats": ["markdown", "content", "links", "extract"], "extract": {"schema": SCHEMA}})
        self.assertIn("# Apples", doc["markdown"])
        self.assertIn(SITE + "/", doc["links"])
        self.assertEqual(doc["extract"]["title"], "Apples")
        self.assertEqual(doc["metadata"]["statusCode"], 200)

    def test_errors(self):
        with self.assertRaisesRegex(Exception, "corresponding options must be provided"):
            self.app.scrape_url(SITE + "/a", {"formats": ["json"]})
        poor = firecrawl.FirecrawlApp(api_key=os.environ["TRAWL_POOR_KEY"], api_url=os.environ["TRAWL_URL"])
        with self.assertRaisesRegex(Exception, "Payment Required"):
            poor.scrape_url(SITE + "/a")

    def test_crawl(self):
        job = self.app.crawl_url(SITE, {"limit": 3, "maxDepth": 1, "scrapeOptions": {"formats": ["markdown"]}})
        self.assertEqual((job["status"], job["completed"], len(job["data"])), ("completed", 3, 3))
        self.assertNotIn("next", job)
        self.assertNotIn("error", job)

    def test_crawl_in_steps(self):
        started = self.app.async_crawl_url(SITE + "/slow?ms=20000", idempotency_key="f7ab4b39-5dca-4a1c-8b58-3a1f0c3a5a11")
        status = self.app.check_crawl_status(started["id"])
        self.assertEqual(status["status"], "scraping")
        self.assertIsNone(status.get("error"))
        self.assertEqual(self.app.cancel_crawl(started["id"])["status"], "cancelled")

    def test_watch_a_crawl(self):
        watcher = self.app.crawl_url_and_watch(SITE + "/blog/1", {"limit": 5, "includePaths": ["^/blog/"], "allowBackwardLinks": True})
        self.assertEqual(addresses(self.watch(watcher)), [f"{SITE}/blog/{n}" for n in range(1, 6)])

    def test_batch(self):
        job = self.app.batch_scrape_urls(PAGES, {"formats": ["markdown"]})
        self.assertEqual(addresses(job["data"]), PAGES)

    def test_watch_a_batch(self):
        watcher = self.app.batch_scrape_urls_and_watch(PAGES, {"formats": ["markdown"]})
        self.assertEqual(addresses(self.watch(watcher)), PAGES)
        job = self.app.check_batch_scrape_status(watcher.id)
        self.assertEqual((job["status"], len(job["data"])), ("completed", 3))
        self.assertEqual(self.app.check_batch_scrape_errors(watcher.id)["errors"], [])

    def test_map(self):
        self.assertIn(SITE + "/product", self.app.map_url(SITE, {"sitemapOnly": True})["links"])

    def test_search(self):
        found = self.app.search("apples", {"limit": 2, "scrapeOptions": {"formats": ["markdown"]}})
        self.assertEqual([result["url"] for result in found["data"]], PAGES[:2])
        self.assertIn("# Apples", found["data"][0]["markdown"])

    def test_extract(self):
        found = self.app.extract([SITE + "/a"], {"prompt": "The title.", "schema": SCHEMA})
        self.assertEqual(found["data"]["title"], "Apples")

    def test_gone(self):
        with self.assertRaisesRegex(Exception, "410|/v2/crawl"):
            self.app.async_generate_llms_text(SITE)


if __name__ == "__main__":
    unittest.main()

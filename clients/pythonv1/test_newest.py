"""What the newest Python client keeps of the first version, under v1: with types that
insist on the form of every answer."""

import loopback  # noqa: F401, first, so that no client exists without it

import os
import unittest

from firecrawl import Firecrawl, V1FirecrawlApp
from firecrawl.v1.client import V1ChangeTrackingOptions, V1JsonConfig, V1ScrapeOptions, V1ScreenshotAction, V1WaitAction

SITE = os.environ["SITE_URL"]
PAGES = [SITE + path for path in ("/a", "/b", "/blog/1")]
SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}


def addresses(docs):
    return sorted(doc.metadata["sourceURL"] for doc in docs)


class Newest(unittest.TestCase):
    def setUp(self):
        options = {"api_key": os.environ["TRAWL_KEY"], "api_url": os.environ["TRAWL_URL"]}
        self.app, self.few = V1FirecrawlApp(**options), Firecrawl(**options).v1

    def test_proxy(self):
        """v1 of the client itself, which has a few of the methods."""
        self.assertIn("# Apples", self.few.scrape_url(SITE + "/a").markdown)
        self.assertIn(SITE + "/product", self.few.map_url(SITE, sitemap_only=True).links)

    def test_scrape(self):
        doc = self.app.scrape_url(
            SITE + "/a", formats=["markdown", "links", "extract"], extract=V1JsonConfig(schema=SCHEMA), parse_pdf=True, only_main_content=True
        )
        self.assertTrue(doc.success)
        self.assertIn("# Apples", doc.markdown)
        self.assertEqual(doc.extract["title"], "Apples")

    def test_actions_and_changes(self):
        def scrape():
            return self.app.scrape_url(
                SITE + "/changing",
                formats=["markdown", "changeTracking"],
                change_tracking_options=V1ChangeTrackingOptions(modes=["git-diff"], tag="python"),
                actions=[V1WaitAction(type="wait", milliseconds=10), V1ScreenshotAction(type="screenshot")],
                timeout=100_000,
            )

        first, second = scrape(), scrape()
        self.assertEqual(first.changeTracking.changeStatus, "new")
        self.assertEqual(second.changeTracking.changeStatus, "changed")
        self.assertTrue(second.changeTracking.diff["text"])
        self.assertEqual(len(second.actions.screenshots), 1)

    def test_crawl(self):
        job = self.app.crawl_url(
            SITE, limit=3, max_depth=1, ignore_sitemap=True, scrape_options=V1ScrapeOptions(formats=["markdown"]), poll_interval=2
        )
        self.assertTrue(job.success)
        self.assertEqual((job.status, len(job.data)), ("completed", 3))

    def test_crawl_in_steps(self):
        started = self.app.async_crawl_url(SITE + "/slow?ms=20000")
        self.assertEqual(self.app.check_crawl_status(started.id).status, "scraping")
        self.assertEqual(self.app.cancel_crawl(started.id)["status"], "cancelled")

    def test_batch(self):
        dead = "http://127.0.0.1:2/"
        job = self.app.batch_scrape_urls(PAGES + [dead], formats=["markdown"], poll_interval=2)
        self.assertEqual(addresses(job.data), PAGES)
        started = self.app.async_batch_scrape_urls(PAGES + [dead], formats=["markdown"])
        while (job := self.app.check_batch_scrape_status(started.id)).status == "scraping":
            pass
        self.assertEqual(addresses(job.data), PAGES)
        failed = self.app.check_batch_scrape_errors(started.id)
        self.assertEqual([error.url for error in failed.errors], [dead])

    def test_map_and_search(self):
        self.assertIn(SITE + "/product", self.app.map_url(SITE, sitemap_only=True).links)
        found = self.app.search("apples", limit=2, scrape_options=V1ScrapeOptions(formats=["markdown"]))
        self.assertTrue(found.success)
        self.assertEqual([result["url"] for result in found.data], PAGES[:2])

    def test_extract(self):
        found = self.app.extract([SITE + "/a"], prompt="The title.", schema=SCHEMA)
        self.assertTrue(found.success)
        self.assertEqual(found.data["title"], "Apples")

    def test_usage(self):
        self.assertGreater(self.app.get_credit_usage().data.remaining_credits, 0)
        self.assertGreater(self.app.get_token_usage().data.remaining_tokens, 0)
        self.assertTrue(self.app.get_credit_usage_historical().success)


if __name__ == "__main__":
    unittest.main()

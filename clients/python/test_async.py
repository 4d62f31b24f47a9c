"""The asynchronous client: its own transport, the same answers."""

import asyncio
import unittest

import firecrawl
from firecrawl import AsyncWatcher
from firecrawl.v2.types import ParseOptions, ScrapeOptions

from support import LIMIT, POLL, POOR_KEY, AsyncCase, async_client, site


class Scrape(AsyncCase):
    async def test_formats(self):
        doc = await self.client.scrape(
            site("/"), formats=["markdown", "html", "raw_html", "links", "images", "screenshot"], only_main_content=False
        )
        self.assert_document(doc, site("/"))
        self.assertTrue(doc.markdown and doc.html and doc.raw_html and doc.links and doc.screenshot)

    async def test_side_by_side(self):
        paths = [f"/blog/{n}" for n in range(1, 6)]
        docs = await asyncio.gather(*(self.client.scrape(site(path)) for path in paths))
        self.assert_paths(docs, *paths)

    async def test_json_and_summary(self):
        schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        doc = await self.client.scrape(site("/product"), formats=["summary", {"type": "json", "schema": schema}])
        self.assertTrue(doc.summary)
        self.assertIsInstance(doc.json["name"], str)

    async def test_parse(self):
        doc = await self.client.parse(
            b"<h1>Heading</h1><p>A paragraph.</p>", filename="page.html", options=ParseOptions(formats=["markdown"])
        )
        self.assertIn("Heading", doc.markdown)


class Jobs(AsyncCase):
    async def test_batch(self):
        job = await self.client.batch_scrape(
            [site("/a"), site("/b")], formats=["markdown"], poll_interval=POLL, wait_timeout=LIMIT
        )
        self.assertEqual(job.status, "completed")
        self.assert_paths(job.data, "/a", "/b")

    async def test_crawl(self):
        job = await self.client.crawl(
            url=site("/"), limit=5, scrape_options=ScrapeOptions(formats=["markdown"]),
            poll_interval=POLL, timeout=LIMIT,
        )
        self.assertEqual((job.status, job.completed), ("completed", 5))

    async def test_active_errors_and_cancel(self):
        started = await self.client.start_crawl(site("/many/"), limit=60, delay=1)
        active = await self.client.active_crawls()
        self.assertIn(started.id, [crawl.id for crawl in active.crawls])
        self.assertEqual((await self.client.get_crawl_errors(started.id)).errors, [])
        self.assertTrue(await self.client.cancel_crawl(started.id))
        self.assertEqual((await self.client.get_crawl_status(started.id)).status, "cancelled")

    async def test_waiter_that_is_given_up_cancels_its_crawl(self):
        url = site("/many/?given-up")
        waiting = asyncio.create_task(self.client.crawl(url=url, limit=60, delay=1, poll_interval=1))
        mine = []
        while not mine:
            await asyncio.sleep(POLL)
            active = await self.client.active_crawls()
            mine = [crawl.id for crawl in active.crawls if crawl.url == url]
        waiting.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await waiting
        self.assertEqual((await self.client.get_crawl_status(mine[0])).status, "cancelled")

    async def test_watcher(self):
        for kind, start in (
            ("crawl", self.client.start_crawl(site("/gate?name=watched-crawl"), limit=1)),
            ("batch", self.client.start_batch_scrape([site("/a"), site("/gate?name=watched-batch")])),
        ):
            started = await start
            snapshots = []
            async for job in AsyncWatcher(self.client, started.id, kind=kind, timeout=LIMIT):
                if not snapshots:  # the job ends under the watcher's eyes
                    self.assertEqual(job.status, "scraping")
                    await self.client.scrape(site(f"/switch?name=watched-{kind}"))
                snapshots.append(job)
            self.assertEqual(snapshots[-1].status, "completed")
            self.assertEqual(snapshots[-1].completed, snapshots[-1].total)
            self.assertEqual(len(snapshots[-1].data), snapshots[-1].total)

    async def test_preview(self):
        params = await self.client.crawl_params_preview(site("/"), "Only the articles of the blog, at most three")
        self.assertTrue(any("blog" in path for path in params.include_paths))

    async def test_extract(self):
        done = await self.client.extract(
            [site("/product")], prompt="The product's name.", poll_interval=1, timeout=LIMIT,
            schema={"type": "object", "properties": {"name": {"type": "string"}}},
        )
        self.assertEqual(done.status, "completed")


class Rest(AsyncCase):
    async def test_map_and_search(self):
        found = await self.client.map(site("/"), limit=5)
        self.assertTrue(0 < len(found.links) <= 5)
        found = await self.client.search("apples", limit=1)
        self.assertEqual(len(found.web), 1)

    async def test_browser(self):
        made = await self.client.browser(ttl=60)
        listed = await self.client.list_browsers(status="active")
        self.assertIn(made.id, [session.id for session in listed.sessions])
        self.assertTrue((await self.client.delete_browser(made.id)).success)

    async def test_usage(self):
        self.assertGreater((await self.client.get_credit_usage()).remaining_credits, 0)
        self.assertGreater((await self.client.get_token_usage()).remaining_tokens, 0)
        self.assertGreater((await self.client.get_concurrency()).max_concurrency, 0)
        self.assertGreater((await self.client.get_queue_status()).max_concurrency, 0)

    async def test_errors(self):
        poor = async_client(POOR_KEY)
        for kind, attempt in (
            (firecrawl.BadRequestError, self.client.scrape(site("/a"), timeout=1)),
            (firecrawl.UnauthorizedError, async_client("fc-" + "0" * 32).scrape(site("/a"))),
            (firecrawl.PaymentRequiredError, poor.scrape(site("/a"))),
            (firecrawl.RequestTimeoutError, self.client.scrape(site("/slow?ms=8000"), timeout=1000)),
            (firecrawl.InternalServerError, self.client.scrape("http://127.0.0.1:2/")),
        ):
            with self.subTest(kind.__name__), self.assertRaises(kind):
                await attempt


if __name__ == "__main__":
    unittest.main()

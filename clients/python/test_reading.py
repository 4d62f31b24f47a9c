"""Map, search, extract and parse: what is found without naming every page."""

import io
import tempfile
import unittest
import urllib.request
from pathlib import Path

from firecrawl.v2.types import ParseOptions, PDFParser, ScrapeOptions

from support import LIMIT, PATIENCE, POLL, Case, site


class Map(Case):
    def test_all_links(self):
        found = self.client.map(site("/"))
        urls = [link.url for link in found.links]
        self.assertIn(site("/a"), urls)
        self.assertIn(site("/blog/5"), urls)
        self.assertEqual(len(urls), len(set(urls)))

    def test_options(self):
        found = self.client.map(
            site("/"), search="blog", sitemap="skip", include_subdomains=False, ignore_query_parameters=True, limit=3, timeout=PATIENCE
        )
        self.assertLessEqual(len(found.links), 3)
        self.assertIn("/blog/", found.links[0].url)


class Search(Case):
    def test_results(self):
        found = self.client.search("apples", limit=2)
        self.assertEqual([result.url for result in found.web], [site("/a"), site("/b")])
        self.assertEqual([result.position for result in found.web], [1, 2])
        self.assertTrue(found.web[0].title and found.web[0].description)

    def test_options(self):
        found = self.client.search(
            "apples", sources=["web"], limit=5, tbs="qdr:y", location="Germany", country="de",
            ignore_invalid_urls=True, timeout=PATIENCE, highlights=False,
        )
        self.assertTrue(found.web)

    def test_scraped(self):
        found = self.client.search("apples", limit=1, scrape_options=ScrapeOptions(formats=["markdown", "links"]))
        self.assertIn("# ", found.web[0].markdown)
        self.assertIsInstance(found.web[0].links, list)

    def test_what_only_a_hosted_service_has(self):
        for attempt in (
            lambda: self.client.developer_search("apples"),
            lambda: self.client.search_papers("apples"),
        ):
            with self.assertRaises(Exception) as raised:
                attempt()
            self.assertNotIn("non-JSON", str(raised.exception))


class Extract(Case):
    SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

    def test_waiter(self):
        done = self.client.extract(
            [site("/product")], prompt="The product's name.", schema=self.SCHEMA, show_sources=True,
            scrape_options=ScrapeOptions(formats=["markdown"]), poll_interval=POLL, timeout=LIMIT,
        )
        self.assertEqual((done.success, done.status), (True, "completed"))
        self.assertIsInstance(done.data["name"], str)
        self.assertTrue(done.expires_at)
        self.assertGreater(done.tokens_used, 0)
        self.assertGreater(done.credits_used, 0)
        self.assertIn(site("/product"), done.sources["name"])

    def test_start_and_status(self):
        started = self.client.start_extract(
            [site("/blog/*")], prompt="The titles of the articles.", ignore_invalid_urls=True,
            allow_external_links=False, enable_web_search=False,
        )
        self.assertTrue(started.id)
        job = self.client.get_extract_status(started.id)
        self.assertIn(job.status, ("processing", "completed"))


class Parse(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with urllib.request.urlopen(site("/doc.pdf")) as response:
            cls.pdf = response.read()
        with urllib.request.urlopen(site("/doc.docx")) as response:
            cls.word = response.read()

    def test_path(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "doc.docx")
            path.write_bytes(self.word)
            doc = self.client.parse(path)
        self.assertTrue(doc.markdown)
        self.assertEqual(doc.metadata.status_code, 200)

    def test_bytes(self):
        doc = self.client.parse(
            self.pdf, filename="doc.pdf", content_type="application/pdf",
            options=ParseOptions(
                formats=["markdown", "html"], parsers=[PDFParser(mode="fast", max_pages=1)], timeout=PATIENCE
            ),
        )
        self.assertTrue(doc.markdown and doc.html)
        self.assertEqual(doc.metadata.num_pages, 1)

    def test_open_file(self):
        doc = self.client.parse(
            io.BytesIO(b"<title>Kept</title><h1>Heading</h1><p>A paragraph.</p>"), filename="page.html",
            options=ParseOptions(formats=["markdown", "summary"], only_main_content=False),
        )
        self.assertIn("Heading", doc.markdown)
        self.assertTrue(doc.summary)

    def test_formats(self):
        formats = {entry.format: entry for entry in self.client.get_parse_formats()}
        self.assertTrue(formats["pdf"].available)
        self.assertIn(".docx", formats["docx"].extensions)


if __name__ == "__main__":
    unittest.main()

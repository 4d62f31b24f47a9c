"""The loader and the tools of langchain-firecrawl."""

from frameworks import KEY, SERVICE, SITE

import json
import unittest

from langchain_firecrawl import FirecrawlCrawl, FirecrawlExtract, FirecrawlLoader, FirecrawlMap, FirecrawlScrape, FirecrawlSearch

SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}}


class Loader(unittest.TestCase):
    def load(self, **arguments):
        return FirecrawlLoader(api_key=KEY, api_url=SERVICE, **arguments).load()

    def test_scrape(self):
        (doc,) = self.load(url=SITE + "/a", mode="scrape")
        self.assertIn("# Apples", doc.page_content)

    def test_crawl(self):
        docs = self.load(url=SITE, mode="crawl", params={"limit": 3})
        self.assertEqual(len(docs), 3)

    def test_map(self):
        docs = self.load(url=SITE, mode="map", params={"sitemap": "only"})
        self.assertIn(SITE + "/product", [doc.page_content for doc in docs])

    def test_search(self):
        docs = self.load(query="apples", mode="search", params={"limit": 2})
        self.assertEqual(len(docs), 2)


class Tools(unittest.TestCase):
    def use(self, tool, **arguments):
        found = tool(api_key=KEY, api_url=SERVICE).invoke(arguments)
        return json.dumps(found, default=str)

    def test_tools(self):
        for tool, arguments, said in (
            (FirecrawlScrape, {"url": SITE + "/a", "formats": ["markdown"]}, "# Apples"),
            (FirecrawlCrawl, {"url": SITE + "/blog/1", "limit": 1, "poll_interval": 1}, "Article 1"),
            (FirecrawlMap, {"url": SITE, "sitemap": "only"}, SITE + "/product"),
            (FirecrawlSearch, {"query": "apples", "limit": 1}, SITE + "/a"),
            (FirecrawlExtract, {"urls": [SITE + "/a"], "schema": SCHEMA}, "Apples"),
        ):
            with self.subTest(tool.__name__):
                self.assertIn(said, self.use(tool, **arguments))


if __name__ == "__main__":
    unittest.main()

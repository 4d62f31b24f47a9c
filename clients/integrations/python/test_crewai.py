"""The tools of crewai-tools, with the options that they send unless others are given.
They know no address but that of the hosted service, so that their client is exchanged."""

from frameworks import KEY, SERVICE, SITE

import unittest

from crewai_tools import FirecrawlCrawlWebsiteTool, FirecrawlScrapeWebsiteTool, FirecrawlSearchTool
from firecrawl import Firecrawl


class Tools(unittest.TestCase):
    def use(self, kind, changes=None, **arguments):
        tool = kind(api_key=KEY)
        tool._firecrawl = Firecrawl(api_key=KEY, api_url=SERVICE)
        tool.config.update(changes or {})
        return tool.run(**arguments)

    def test_scrape(self):
        self.assertIn("# Apples", self.use(FirecrawlScrapeWebsiteTool, url=SITE + "/a").markdown)

    def test_crawl(self):
        job = self.use(FirecrawlCrawlWebsiteTool, {"limit": 2}, url=SITE)
        self.assertEqual((job.status, len(job.data)), ("completed", 2))

    def test_search(self):
        found = self.use(FirecrawlSearchTool, query="apples")
        self.assertIn("# Apples", found.web[0].markdown)


if __name__ == "__main__":
    unittest.main()

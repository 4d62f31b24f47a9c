"""The reader of llama-index-readers-web."""

from frameworks import KEY, SERVICE, SITE

import unittest

from llama_index.readers.web import FireCrawlWebReader


class Reader(unittest.TestCase):
    def read(self, mode, params=None, **arguments):
        return FireCrawlWebReader(api_key=KEY, api_url=SERVICE, mode=mode, params=params).load_data(**arguments)

    def test_scrape(self):
        (doc,) = self.read("scrape", url=SITE + "/a")
        self.assertIn("# Apples", doc.text)

    def test_crawl(self):
        docs = self.read("crawl", {"limit": 3}, url=SITE)
        self.assertEqual(len(docs), 3)

    def test_map(self):
        docs = self.read("map", {"sitemap": "only"}, url=SITE)
        self.assertIn(SITE + "/product", "".join(str(doc.metadata) + doc.text for doc in docs))

    def test_search(self):
        docs = self.read("search", {"limit": 2}, query="apples")
        self.assertEqual(len(docs), 2)

    def test_extract(self):
        docs = self.read("extract", {"prompt": "The title."}, urls=[SITE + "/a"])
        self.assertIn("Apples", docs[0].text)


if __name__ == "__main__":
    unittest.main()

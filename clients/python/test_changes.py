"""Changes since the last scrape of a page.

A scrape of this kind gives the page five seconds to settle, so all pages are
scraped side by side before the tests look at what was told of them.
"""

import unittest
from concurrent.futures import ThreadPoolExecutor

from firecrawl.v2.types import ChangeTrackingFormat

from support import Case, site, unique

FIELDS = {"type": "object", "properties": {"version": {"type": "string"}}}


def track(client, path, **options):
    return client.scrape(site(path), formats=["markdown", ChangeTrackingFormat(**options)])


def twice(client, path, **options):
    """Two scrapes with a history of their own, one after the other."""
    tag = unique("history")
    return [track(client, path, tag=tag, **options) for _ in range(2)]


class Changes(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with ThreadPoolExecutor() as pool:
            same = pool.submit(twice, cls.client, "/steady", modes=["git-diff"])
            changed = pool.submit(twice, cls.client, "/changing", modes=["git-diff"])
            fields = pool.submit(twice, cls.client, "/changing", modes=["json"], schema=FIELDS)
            gone = pool.submit(track, cls.client, "/missing", modes=[], tag=unique("gone"))
            bare = pool.submit(cls.client.scrape, site("/a"), formats=["markdown", "change_tracking"])
        cls.same, cls.changed, cls.fields = same.result(), changed.result(), fields.result()
        cls.gone, cls.bare = gone.result(), bare.result()

    def test_new(self):
        first = self.same[0].change_tracking
        self.assertEqual((first["changeStatus"], first["previousScrapeAt"]), ("new", None))
        self.assertEqual(first["visibility"], "visible")
        self.assert_document(self.same[0], site("/steady"))

    def test_same(self):
        second = self.same[1].change_tracking
        self.assertEqual(second["changeStatus"], "same")
        self.assertTrue(second["previousScrapeAt"])
        self.assertNotIn("diff", second)

    def test_changed(self):
        first, second = (doc.change_tracking for doc in self.changed)
        self.assertEqual((first["changeStatus"], second["changeStatus"]), ("new", "changed"))
        self.assertIn("\n+", second["diff"])
        changes = [change for file in second["diffJson"]["files"] for chunk in file["chunks"] for change in chunk["changes"]]
        self.assertLessEqual({"add", "del"}, {change["type"] for change in changes})

    def test_changed_fields(self):
        second = self.fields[1].change_tracking
        self.assertEqual(second["changeStatus"], "changed")
        version = second["json"]["version"]
        self.assertEqual(set(version), {"previous", "current"})

    def test_removed(self):
        self.assertEqual(self.gone.change_tracking["changeStatus"], "removed")

    def test_bare_format(self):
        self.assertEqual(self.bare.change_tracking["changeStatus"], "new")


if __name__ == "__main__":
    unittest.main()

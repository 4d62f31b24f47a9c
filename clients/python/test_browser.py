"""Browser sessions."""

import unittest

from firecrawl import FirecrawlError

from support import Case, site


class Sessions(Case):
    def test_whole_life(self):
        made = self.client.browser(ttl=600, activity_ttl=600, stream_web_view=True)
        try:
            self.assertTrue(made.success)
            self.assertTrue(made.cdp_url.startswith("ws"))
            self.assertTrue(made.expires_at)
            listed = self.client.list_browsers(status="active")
            self.assertIn(made.id, [session.id for session in listed.sessions])
        finally:
            ended = self.client.delete_browser(made.id)
        self.assertTrue(ended.success)
        self.assertGreater(ended.session_duration_ms, 0)
        self.assertIsInstance(ended.credits_billed, int)
        listed = self.client.list_browsers(status="destroyed")
        self.assertIn(made.id, [session.id for session in listed.sessions])

    def test_unknown_session(self):
        with self.assertRaises(FirecrawlError) as raised:
            self.client.delete_browser("00000000-0000-4000-8000-000000000000")
        self.assertEqual(raised.exception.status_code, 404)


class Code(Case):
    """This service does not run callers' code; it says so, and what to do instead."""

    def refuses(self, attempt):
        with self.assertRaisesRegex(FirecrawlError, "does not (run code|keep the browser)") as raised:
            attempt()
        self.assertEqual(raised.exception.status_code, 501)

    def test_in_a_session(self):
        made = self.client.browser(ttl=600)
        try:
            self.refuses(lambda: self.client.browser_execute(made.id, "await page.title()", language="node", timeout=20))
        finally:
            self.client.delete_browser(made.id)

    def test_on_a_scraped_page(self):
        job = self.client.scrape(site("/form")).metadata.scrape_id
        self.refuses(lambda: self.client.interact(job, "await page.title()"))
        self.refuses(lambda: self.client.stop_interaction(job))


if __name__ == "__main__":
    unittest.main()

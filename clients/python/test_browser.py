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
    """Commands run in sessions; programs do not, and the answer says what works instead."""

    def test_in_a_session(self):
        made = self.client.browser(ttl=600)
        try:
            done = self.client.browser_execute(made.id, "agent-browser open " + site("/a") + " && get title", language="bash", timeout=60)
            self.assertEqual((done.success, done.exit_code, done.result), (True, 0, "Apples"))
            program = self.client.browser_execute(made.id, "await page.title()", language="node", timeout=20)
            self.assertEqual(program.exit_code, 1)
            self.assertIn("does not run node", program.stderr)
        finally:
            self.client.delete_browser(made.id)

    def test_on_a_scraped_page(self):
        job = self.client.scrape(site("/form")).metadata.scrape_id
        done = self.client.interact(job, "get url", language="bash", timeout=60)
        self.assertEqual((done.success, done.result), (True, site("/form")))
        self.assertTrue(done.cdp_url)
        ended = self.client.stop_interaction(job)
        self.assertTrue(ended.success)


if __name__ == "__main__":
    unittest.main()

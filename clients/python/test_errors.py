"""Every failure reaches the caller as the client's own exception for it, with a
text that says what is wrong."""

import unittest

import firecrawl
from firecrawl import FirecrawlError
from firecrawl.v2.types import AttributesFormat, AttributeSelector, WaitAction

from support import KEY, POOR_KEY, STRICT, Case, client, site

UNKNOWN = "00000000-0000-4000-8000-000000000000"


class Failures(Case):
    def fails(self, kind, status, text, attempt, code=None):
        with self.assertRaisesRegex(kind, text) as raised:
            attempt()
        # The base class stands for every status that has no class of its own.
        self.assertIs(type(raised.exception), kind)
        self.assertEqual(raised.exception.status_code, status)
        if code is not None:
            self.assertEqual(raised.exception.code, code)

    def test_bad_request(self):
        # This client sends the format without its selectors.
        selectors = AttributesFormat(selectors=[AttributeSelector(selector="a", attribute="href")])
        for text, attempt in (
            ("attributes", lambda: self.client.scrape(site("/a"), formats=[selectors])),
            ("url", lambda: self.client.scrape("not an address")),
            ("timeout", lambda: self.client.scrape(site("/a"), timeout=1)),
            ("milliseconds", lambda: self.client.scrape(site("/a"), actions=[WaitAction()])),
            ("regular expression|pattern|includePaths", lambda: self.client.start_crawl(site("/"), include_paths=["("])),
            ("urls", lambda: self.client.start_extract([], prompt="anything")),
            ("schema", lambda: self.client.start_extract([site("/a")], schema={"type": 7})),
            ("empty|format|supported", lambda: self.client.parse(b"\0\1\2", filename="page.bin")),
        ):
            with self.subTest(text):
                self.fails(firecrawl.BadRequestError, 400, f"(?is){text}", attempt)

    def test_unauthorized(self):
        stranger = client("fc-" + "0" * 32)
        self.fails(firecrawl.UnauthorizedError, 401, "(?i)unauthorized", lambda: stranger.scrape(site("/a")))
        self.fails(firecrawl.UnauthorizedError, 401, "(?i)unauthorized", stranger.get_credit_usage)

    def test_payment_required(self):
        poor = client(POOR_KEY)
        self.fails(firecrawl.PaymentRequiredError, 402, "(?i)credits", lambda: poor.scrape(site("/a")))
        self.fails(firecrawl.PaymentRequiredError, 402, "(?i)credits", lambda: poor.start_crawl(site("/")))
        self.fails(firecrawl.PaymentRequiredError, 402, "(?i)credits", lambda: poor.start_batch_scrape([site("/a")]))
        self.assertEqual(poor.get_credit_usage().remaining_credits, 0)

    def test_timeout(self):
        self.fails(
            firecrawl.RequestTimeoutError, 408, "(?i)timed? ?out",
            lambda: self.client.scrape(site("/slow?ms=8000"), timeout=1000, max_age=0), code="SCRAPE_TIMEOUT",
        )

    def test_rate_limit(self):
        strict = client(KEY, STRICT)
        with self.assertRaises(firecrawl.RateLimitError) as raised:
            for _ in range(2):
                strict.scrape(site("/a"))
        self.assertEqual(raised.exception.status_code, 429)
        self.assertIn("Retry-After", raised.exception.response.headers)

    def test_page_that_cannot_be_reached(self):
        self.fails(
            firecrawl.InternalServerError, 500, "(?i)connect|refused|reach",
            lambda: self.client.scrape("http://127.0.0.1:2/", max_age=0),
        )

    def test_unknown_job(self):
        for attempt in (
            lambda: self.client.get_crawl_status(UNKNOWN),
            lambda: self.client.get_batch_scrape_status(UNKNOWN),
            lambda: self.client.get_crawl_errors(UNKNOWN),
            lambda: self.client.cancel_crawl(UNKNOWN),
            lambda: self.client.get_extract_status(UNKNOWN),
        ):
            self.fails(FirecrawlError, 404, "not found", attempt)

    def test_lockdown(self):
        self.fails(
            FirecrawlError, 404, "(?i)cache",
            lambda: self.client.scrape(site("/never-scraped"), lockdown=True), code="SCRAPE_LOCKDOWN_CACHE_MISS",
        )

    def test_what_this_service_does_not_have(self):
        for attempt in (
            lambda: self.client.start_agent(prompt="Find apples."),
            lambda: self.client.find_tools(),
        ):
            with self.assertRaises(FirecrawlError) as raised:
                attempt()
            self.assertIn(raised.exception.status_code, (400, 404, 501))
            self.assertNotIn("non-JSON", str(raised.exception))

    def test_formats_of_media_sites(self):
        for name in ("audio", "video"):
            with self.assertRaisesRegex(FirecrawlError, name):
                self.client.scrape(site("/a"), formats=[name])


if __name__ == "__main__":
    unittest.main()

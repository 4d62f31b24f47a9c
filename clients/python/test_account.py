"""What a team may use and has used."""

import unittest

from firecrawl.v2 import FirecrawlClient

from support import KEY, SERVICE, Case, site


class Account(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.client.scrape(site("/a"), max_age=0)  # something to tell of
        cls.history = FirecrawlClient(api_key=KEY, api_url=SERVICE)

    def test_credits(self):
        usage = self.client.get_credit_usage()
        self.assertGreater(usage.remaining_credits, 0)
        self.assertIsNotNone(usage.plan_credits)

    def test_tokens(self):
        usage = self.client.get_token_usage()
        self.assertGreater(usage.remaining_tokens, 0)
        self.assertIsNotNone(usage.plan_tokens)

    def test_credits_by_month(self):
        usage = self.history.get_credit_usage_historical()
        self.assertGreater(sum(period.creditsUsed for period in usage.periods), 0)

    def test_credits_by_key(self):
        usage = self.history.get_credit_usage_historical(by_api_key=True)
        self.assertGreater(sum(period.creditsUsed for period in usage.periods), 0)

    def test_tokens_by_month(self):
        usage = self.history.get_token_usage_historical()
        self.assertTrue(all(period.tokensUsed >= 0 for period in usage.periods))
        self.history.get_token_usage_historical(by_api_key=True)

    def test_concurrency(self):
        now = self.client.get_concurrency()
        self.assertGreater(now.max_concurrency, 0)
        self.assertGreaterEqual(now.concurrency, 0)

    def test_queue(self):
        queue = self.client.get_queue_status()
        self.assertGreater(queue.max_concurrency, 0)
        self.assertGreaterEqual(queue.jobs_in_queue, 0)
        self.assertTrue(queue.most_recent_success)


if __name__ == "__main__":
    unittest.main()

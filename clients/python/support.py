"""What the tests share: where the service and the fixture site are, clients
for them, and test cases with assertions about documents.

The addresses and keys come from the environment, in the variables that the Go
package above this folder names.
"""

import loopback  # noqa: F401, first, so that no client exists without it

import contextlib
import os
import unittest
import uuid
from unittest import mock

import requests
from firecrawl import AsyncFirecrawl, Firecrawl
from firecrawl.v2.types import Document, DocumentMetadata

SERVICE = os.environ["TRAWL_URL"]
KEY = os.environ["TRAWL_KEY"]
POOR_KEY = os.environ["TRAWL_POOR_KEY"]
STRICT = os.environ["TRAWL_STRICT_URL"]
SITE = os.environ["SITE_URL"].rstrip("/")

# The clients ask again after whole seconds by default, which is long for a
# job that takes a tenth of one.
POLL = 0.2
# How long a step may take, in seconds: no measure of its speed, but what hangs
# fails. The same for those that the service is to give up, in milliseconds.
LIMIT = 240
PATIENCE = 100_000


def client(key=KEY, url=SERVICE):
    return Firecrawl(api_key=key, api_url=url, timeout=LIMIT)


def async_client(key=KEY, url=SERVICE):
    return AsyncFirecrawl(api_key=key, api_url=url, timeout=LIMIT)


def site(path):
    return SITE + path


def unique(prefix):
    """A name that no earlier run used."""
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


@contextlib.contextmanager
def answers():
    """The bodies of the answers to POST requests, before the client drops the
    fields that it has no name for."""
    bodies = []
    post = requests.post

    def keep(*args, **kwargs):
        response = post(*args, **kwargs)
        bodies.append(response.json())
        return response

    with mock.patch.object(requests, "post", keep):
        yield bodies


class Checks:
    """Assertions about documents, for both kinds of test case."""

    def assert_document(self, doc, url, status=200):
        """The document is that of the address, and the client understood all of it."""
        self.assertIsInstance(doc, Document)
        # The client keeps metadata that does not fit its model as a plain dict.
        self.assertIsInstance(doc.metadata, DocumentMetadata)
        self.assertEqual(doc.metadata.source_url, url)
        self.assertEqual(doc.metadata.status_code, status)

    def assert_paths(self, docs, *paths):
        """The documents are those of the paths, in any order."""
        found = sorted(doc.metadata.source_url for doc in docs)
        self.assertEqual(found, sorted(site(path) for path in paths))


class Case(Checks, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = client()


class AsyncCase(Checks, unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.client = async_client()

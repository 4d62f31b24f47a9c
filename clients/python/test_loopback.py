"""The guard that keeps the run on this machine does refuse."""

import asyncio
import os
import socket
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import loopback  # noqa: F401, its import is what counts


class Loopback(unittest.TestCase):
    # An address and a name that are reserved for documentation.
    ADDRESS, NAME = "192.0.2.1", "host.example"

    def refuses(self, host, attempt):
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder, "refused")
            with mock.patch.dict(os.environ, LOOPBACK_REFUSED=str(notes)):
                with self.assertRaisesRegex(OSError, "stays on the machine"):
                    attempt()
            self.assertEqual(notes.read_text(), host + "\n")

    def test_addresses(self):
        with socket.socket() as sock:
            self.refuses(self.ADDRESS, lambda: sock.connect((self.ADDRESS, 9)))
            self.refuses(self.ADDRESS, lambda: sock.connect_ex((self.ADDRESS, 9)))

    def test_names(self):
        self.refuses(self.NAME, lambda: socket.getaddrinfo(self.NAME, 443))

    def test_event_loop(self):
        self.refuses(self.NAME, lambda: asyncio.run(asyncio.open_connection(self.NAME, 443)))


if __name__ == "__main__":
    unittest.main()

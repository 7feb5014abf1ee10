"""A certificate does not become valid within the pauses of the client."""

from __future__ import annotations

import ssl
import time
import unittest
from typing import Callable, List

import image_enhancement as ie

from .scripted import Scripted, cut, good


UNTRUSTED = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate")


class CertificateTest(unittest.TestCase):
    def setUp(self) -> None:
        self.seen: List[str] = []

    def client(self, error: ssl.SSLError) -> ie.Client:
        def transport(request: ie.HttpRequest) -> ie.HttpResponse:
            self.seen.append(request.url)
            raise error

        return ie.Client("ies_x", "https://x.test", transport=transport, max_retries=1)

    def test_a_certificate_that_is_not_trusted_is_asked_once(self) -> None:
        client = self.client(UNTRUSTED)
        calls: List[Callable[[], object]] = [client.usage, lambda: client.jobs.wait("job_1")]
        for call in calls:
            self.seen.clear()
            with self.assertRaises(ie.ConnectionFailedError):
                call()
            self.assertEqual(len(self.seen), 1)

    def test_another_failure_of_tls_is_tried_again(self) -> None:
        # As urllib3 raises it with pyOpenSSL: without the attributes of the errors of OpenSSL.
        with self.assertRaisesRegex(ie.ConnectionFailedError, "bad handshake"):
            self.client(ssl.SSLError("bad handshake")).usage()
        self.assertEqual(len(self.seen), 2)

    def test_a_call_while_such_an_error_is_handled_is_tried_again(self) -> None:
        with Scripted(cut, good({"data": []})) as server:
            try:
                self.client(UNTRUSTED).usage()
            except ie.ConnectionFailedError:
                self.assertEqual(server.client().webhooks.events(), [])
        self.assertEqual(len(server.seen), 2)

    def test_a_server_without_tls_is_asked_once(self) -> None:
        with Scripted(good({})) as server:
            started = time.monotonic()
            with ie.Client("ies_x", server.url.replace("http:", "https:")) as client:
                with self.assertRaisesRegex(ie.ConnectionFailedError, "(?i)wrong.version|record"):
                    client.usage()
            # Four retries would take at least 5.6 s.
            self.assertLess(time.monotonic() - started, 5)


if __name__ == "__main__":
    unittest.main()

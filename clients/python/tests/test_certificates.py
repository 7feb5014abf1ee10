"""A certificate does not become valid within the pauses of the client."""

from __future__ import annotations

import ssl
import time
import unittest
from typing import Callable, List

import image_enhancement as ie

from .scripted import Scripted, good


def refused() -> ssl.SSLError:
    return ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate")


class CertificateTest(unittest.TestCase):
    def test_a_certificate_that_is_not_trusted_is_asked_once(self) -> None:
        seen: List[str] = []

        def transport(request: ie.HttpRequest) -> ie.HttpResponse:
            seen.append(request.url)
            raise refused()

        with ie.Client("ies_x", "https://x.test", transport=transport) as client:
            calls: List[Callable[[], object]] = [client.usage, lambda: client.jobs.wait("job_1")]
            for call in calls:
                seen.clear()
                with self.assertRaises(ie.ConnectionFailedError):
                    call()
                self.assertEqual(len(seen), 1)

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

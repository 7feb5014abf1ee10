"""A result is read where it can be read: from the service at hand, or from wherever else the service says."""

from __future__ import annotations

import unittest
from http.server import BaseHTTPRequestHandler
from typing import Any, Dict, List, Optional, Tuple

import image_enhancement as ie
from image_enhancement._files.result_address import result_address

from .scripted import Reply, Scripted, good, problem
from .test_trouble import DATA, DONE, file

SIGNED = "?exp=1800086400&sig=0a1b"


class Noted:
    """Answers with the file, and notes what it was asked with."""

    def __init__(self, reply: Optional[Reply] = None) -> None:
        self.keys: List[Optional[str]] = []
        self._reply = reply or file(DATA)

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        self.keys.append(request.headers.get("x-api-key"))
        self._reply(request)


def job_at(result_url: str) -> Dict[str, Any]:
    """A job whose result lies there."""
    return {**DONE, "resultUrl": result_url}


class AddressTest(unittest.TestCase):
    def test_own_files_are_at_the_address_of_the_client_whatever_the_service_is_called(self) -> None:
        for public in (
            "http://localhost:3000",
            "https://images.example/base",
            "http://[::1]:9",
            "HTTP://X/files/files",
        ):
            with self.subTest(public):
                url = f"{public}/files/job_1.png{SIGNED}"
                self.assertEqual(result_address(url), (None, f"/files/job_1.png{SIGNED}"))

    def test_all_else_is_read_as_it_stands(self) -> None:
        others: List[Tuple[str, str]] = [
            ("https://bucket.example", "/results/job_1.png?X-Amz-Signature=aa"),
            ("https://bucket.example", "/files/job_1.png?X-Amz-Signature=aa"),
            ("https://bucket.example", "/files/job_1.png"),
            ("https://bucket.example:444", f"/files/other.png{SIGNED}"),
            ("https://bucket.example", f"/results/job_1.png{SIGNED}"),
            ("https://bucket.example", f"/files/more/job_1.png{SIGNED}"),
        ]
        for base, path in others:
            with self.subTest(path):
                self.assertEqual(result_address(base + path), (base, path))
        self.assertEqual(result_address("https://a:b@h.example?x=1"), ("https://h.example", "/?x=1"))

    def test_what_is_no_address_is_named(self) -> None:
        for wrong in ("", "files/job_1.png", "file:///etc/passwd", "data:,x", "http://h:99999/x"):
            with self.subTest(wrong), self.assertRaises(ie.ImageEnhancementError) as caught:
                result_address(wrong)
            self.assertEqual(caught.exception.code, "invalid_result_url")


class ReadingTest(unittest.TestCase):
    def test_a_public_name_that_is_unknown_here(self) -> None:
        noted = Noted()
        public = "http://images.invalid:1/base"
        with Scripted(good(job_at(f"{public}/files/job_1.png{SIGNED}")), noted) as server:
            result = server.client(max_retries=0).result("job_1")
            self.assertEqual(result.bytes(), DATA)
            self.assertEqual(result.url, f"{public}/files/job_1.png{SIGNED}")
            self.assertEqual(server.seen[-1], f"GET /files/job_1.png{SIGNED}")
        self.assertEqual(noted.keys, [None])

    def test_a_base_address_with_a_path(self) -> None:
        url = f"http://images.invalid:1/base/files/job_1.png{SIGNED}"
        with Scripted(good(job_at(url)), file(DATA)) as server:
            with ie.Client("ies_x", f"{server.url}/behind/", max_retries=0) as client:
                self.assertEqual(client.result("job_1").bytes(), DATA)
            self.assertEqual(server.seen[-1], f"GET /behind/files/job_1.png{SIGNED}")

    def test_a_store_of_its_own_never_gets_the_key(self) -> None:
        noted = Noted()
        with Scripted(noted) as store:
            path = "/files/job_1.png?X-Amz-Expires=60&X-Amz-Signature=a%2Fb"
            with Scripted(good(job_at(store.url + path))) as server:
                result = server.client().result("job_1")
                before = len(server.seen)
                self.assertEqual(result.bytes(), DATA)
                self.assertEqual(len(server.seen), before)
            self.assertEqual(store.seen, [f"GET {path}"])
        self.assertEqual(noted.keys, [None])

    def test_an_address_that_has_run_out_is_asked_for_anew(self) -> None:
        with Scripted(problem(403, "http_403"), file(DATA)) as store:
            old, new = f"{store.url}/a?signature=old", f"{store.url}/a?signature=new"
            with Scripted(good(job_at(old)), good(job_at(new))) as server:
                self.assertEqual(server.client().result("job_1").bytes(), DATA)
            self.assertEqual(store.seen, ["GET /a?signature=old", "GET /a?signature=new"])

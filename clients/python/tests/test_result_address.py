"""A result is read where it can be read: from the service at hand, or from wherever else the service says."""

from __future__ import annotations

import asyncio
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


def redirect(location: str) -> Reply:
    """A redirect, like those of a service with OBJECT_URLS=direct."""

    def reply(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("location", location)
        request.send_header("content-length", "0")
        request.end_headers()

    return reply


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


class RedirectTest(unittest.TestCase):
    def test_a_result_is_read_from_the_store_that_the_service_redirects_to(self) -> None:
        noted = Noted()
        path = "/b%2Fc?X-Amz-Signature=a%2Fb"
        with Scripted(noted) as store, Scripted(redirect(f"{store.url}{path}")) as first:
            url = f"http://images.invalid:1/files/job_1.png{SIGNED}"
            with Scripted(good(job_at(url)), redirect(f"{first.url}/files/job_1.png{SIGNED}")) as server:
                client = server.client(headers={"x-tenant": "secret"}, max_retries=0)
                self.assertEqual(client.result("job_1").bytes(), DATA)
            self.assertEqual(store.seen, [f"GET {path}"])
            for each in (first.headers[0], store.headers[0]):
                self.assertFalse({"x-api-key", "x-tenant"} & set(each))

    def test_with_asyncio(self) -> None:
        async def read(url: str) -> bytes:
            async with ie.AsyncClient("ies_x", url, max_retries=0) as client:
                return await (await client.result("job_1")).bytes()

        with Scripted(file(DATA)) as store:
            job = job_at(f"http://x/files/job_1.png{SIGNED}")
            with Scripted(good(job), redirect(f"{store.url}/x")) as server:
                self.assertEqual(asyncio.run(read(server.url)), DATA)

    def test_what_the_store_sends_is_checked_and_retried_from_the_service(self) -> None:
        with Scripted(file(DATA[::-1]), problem(503, "http_503"), file(DATA)) as store:
            found = redirect(f"{store.url}/x")
            with Scripted(good(job_at(f"http://x/files/job_1.png{SIGNED}")), found) as server:
                self.assertEqual(server.client().result("job_1").bytes(), DATA)
                self.assertEqual((len(server.seen), len(store.seen)), (4, 3))

    def test_no_other_redirect_is_followed(self) -> None:
        for location in ("/files/elsewhere.png", "file:///etc/passwd", "ftp://x/y"):
            with Scripted(good(job_at(f"http://x/files/job_1.png{SIGNED}")), redirect(location)) as server:
                with self.assertRaisesRegex(ie.ImageEnhancementError, location) as caught:
                    server.client().result("job_1").bytes()
                self.assertEqual(caught.exception.code, "redirected")
        with Scripted(file(DATA)) as trap, Scripted(redirect(f"{trap.url}/login")) as server:
            said = rf"redirects to {trap.url}/login.*base_url \(--url"
            with self.assertRaisesRegex(ie.ImageEnhancementError, said) as caught:
                server.client().jobs.create("x", "upscale")
            self.assertEqual((caught.exception.code, trap.seen, len(server.seen)), ("redirected", [], 1))

    def test_redirects_in_a_circle_end(self) -> None:
        url = f"http://x/files/job_1.png{SIGNED}"
        replies: List[Reply] = [good(job_at(url))]

        def circle(request: BaseHTTPRequestHandler) -> None:
            redirect(f"{server.url}/x")(request)

        with Scripted(*replies, circle) as server:
            with self.assertRaises(ie.ImageEnhancementError) as caught:
                server.client().result("job_1").bytes()
            self.assertEqual((caught.exception.code, len(server.seen)), ("redirected", 7))

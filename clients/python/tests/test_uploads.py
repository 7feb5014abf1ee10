"""How files are sent: to the object store, and with progress."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

import image_enhancement as ie

from .scripted import Reply, Scripted, cut, good, problem

SOURCE: Dict[str, Any] = {
    "id": "src_1",
    "url": "http://x/files/src_1.png",
    "format": "png",
    "width": 1,
    "height": 1,
    "bytes": 200_000,
    "sha256": "00",
    "createdAt": "2026-01-02T03:04:05.678Z",
}
FILE = b"x" * 200_000


def address(service: Scripted) -> Reply:
    """Returns a URL on this server."""

    def reply(request: Any) -> None:
        good({"id": "upl_1", "method": "PUT", "uploadUrl": f"{service.url}/store/a?sig=1", "headers": {"x-s": "y"}})(request)

    return reply


def file_name_in(body: bytes) -> str:
    """The file name in the header of a form with one part."""
    return body.partition(b'filename="')[2].partition(b'"\r\n')[0].decode()


class UploadTest(unittest.TestCase):
    def test_a_direct_upload_whose_every_step_is_tried_again(self) -> None:
        sent: List[ie.UploadProgress] = []
        late: List[Reply] = []
        named: Reply = lambda request: late[0](request)
        replies = (cut, named, problem(503, "unavailable", retry_after="0"), good({}), cut, good(SOURCE))
        with Scripted(*replies) as service:
            late.append(address(service))
            source = service.client(headers={"x-mine": "1"}).upload(FILE, direct=True, on_progress=sent.append)
            self.assertEqual(source.id, "src_1")
            put, complete = "PUT /store/a?sig=1", "POST /api/ai/uploads/upl_1/complete"
            self.assertEqual(service.seen, ["POST /api/ai/uploads"] * 2 + [put] * 2 + [complete] * 2)
            order = json.loads(service.bodies[1])
            self.assertEqual(order, {"bytes": len(FILE), "sha256": hashlib.sha256(FILE).hexdigest()})
            self.assertEqual(service.bodies[3], FILE)
            headers = service.headers[3]
            self.assertEqual(headers["x-s"], "y")
            self.assertEqual({"x-api-key", "x-mine", "transfer-encoding"} & {*headers}, set())
        self.assertGreater(len(sent), 4)
        self.assertEqual(sent[-1], ie.UploadProgress(len(FILE), len(FILE)))

    def test_a_file_keeps_its_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Scripted(good(SOURCE)) as service:
            client = service.client()
            names = {'größe "1"\r\n.png': "größe %221%22%0D%0A.png", "a\udcff.png": "a?.png"}
            for name, sent in names.items():
                path = Path(folder) / name
                path.write_bytes(FILE)
                with path.open("rb") as opened:
                    named: List[ie.FileInput] = [str(path), path, opened]
                    for image in named:
                        client.upload(image)
                        self.assertEqual(file_name_in(service.bodies[-1]), sent)
            with tempfile.TemporaryFile() as nameless:
                unnamed: List[ie.FileInput] = [FILE, io.BytesIO(FILE), nameless]
                for image in unnamed:
                    client.upload(image)
                    self.assertEqual(file_name_in(service.bodies[-1]), "image")

    def test_a_service_without_such_uploads(self) -> None:
        with Scripted(problem(403, "feature_disabled")) as service:
            with self.assertRaises(ie.PermissionDeniedError) as caught:
                service.client().upload(FILE, direct=True)
        self.assertEqual((caught.exception.code, len(service.seen)), ("feature_disabled", 1))

    def test_progress_of_every_way_to_upload(self) -> None:
        sent: List[ie.UploadProgress] = []

        async def upload(service: Scripted) -> None:
            async with ie.AsyncClient("ies_x", service.url) as client:
                await client.upload(FILE, on_progress=sent.append)

        with Scripted(good(SOURCE)) as service:
            service.client().sources.upload(FILE, on_progress=sent.append)
            self.assertEqual(sent[-1].sent_bytes, sent[-1].total_bytes)
            self.assertGreater(sent[-1].total_bytes, len(FILE))
            shares = [each.sent_bytes for each in sent]
            self.assertEqual(shares, sorted(shares))
            count = len(sent)
            asyncio.run(upload(service))
        self.assertGreater(count, 4)
        self.assertGreater(len(sent), count)

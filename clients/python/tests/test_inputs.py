"""Typical mistakes, which are refused with a helpful message before anything is sent."""

from __future__ import annotations

import errno
import unittest
from typing import Any, Callable, Dict, Tuple

import image_enhancement as ie

from .scripted import Scripted, good
from .test_trouble import DONE

NOT_AN_IMAGE = "An image is a path, bytes, a binary stream or the address of an upload, not "


class InputsTest(unittest.TestCase):
    def assert_refused(self, call: Callable[[], object], code: str, message: str) -> None:
        with self.assertRaises(ie.ImageEnhancementError) as caught:
            call()
        self.assertEqual((caught.exception.code, str(caught.exception)), (code, message))

    def test_what_to_do_is_said_exactly_once(self) -> None:
        message = "Give exactly one of operation, operations, preset, such as operation='upscale'."
        wrong: Tuple[Dict[str, Any], ...] = ({}, {"operation": "upscale", "preset": "portrait"})
        with Scripted(good(DONE)) as server:
            client = server.client()
            calls: Tuple[Callable[..., object], ...] = (client.enhance, client.enhance_in_one_request)
            for call in calls:
                for options in wrong:
                    with self.subTest(call=call.__name__, options=options):
                        self.assert_refused(lambda: call(b"image", **options), "invalid_option", message)
            self.assertEqual(server.seen, [])

    def test_an_image_that_is_none(self) -> None:
        messages: Dict[Any, str] = {
            "": "The path of the image is empty.",
            None: f"{NOT_AN_IMAGE}None.",
            42: f"{NOT_AN_IMAGE}a value of type int.",
            "no/such.jpg": "no/such.jpg cannot be read: No such file or directory.",
            "/": "/ cannot be read: Is a directory.",
        }
        with Scripted(good(DONE)) as server:
            client = server.client()
            for image, message in messages.items():
                with self.subTest(image=image):
                    self.assert_refused(lambda: client.enhance(image, "upscale"), "invalid_file", message)
                    self.assert_refused(lambda: client.upload(image), "invalid_file", message)
            self.assertEqual(server.seen, [])

    def test_a_job_that_is_none_which_an_error_without_a_job_has(self) -> None:
        nothing: Any = None
        message = "Give a job or its id. An error without a job_id has no job: repeat the call."
        with Scripted(good(DONE)) as server:
            self.assert_refused(lambda: server.client().result(nothing), "invalid_option", message)
            self.assertEqual(server.seen, [])

    def test_a_target_without_a_name(self) -> None:
        with Scripted(good(DONE)) as server:
            result = server.client().result("job_1")
            with self.assertRaises(FileNotFoundError) as caught:
                result.save("")
            self.assertEqual(caught.exception.errno, errno.ENOENT)
            self.assertEqual(len(server.seen), 1)

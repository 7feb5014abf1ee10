"""Signatures against the vectors that all client libraries share."""

from __future__ import annotations

import json
import time
import unittest
from pathlib import Path

import image_enhancement as ie

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "webhooks.json").read_text("utf-8"))


class VectorsTest(unittest.TestCase):
    def test_every_vector(self) -> None:
        self.assertGreater(len(VECTORS["vectors"]), 20)
        for vector in VECTORS["vectors"]:
            with self.subTest(vector["name"]):
                fault = None
                try:
                    ie.verify_signature(
                        vector["body"].encode(),
                        vector["headers"]["x-service-signature"],
                        vector["secret"],
                        tolerance_seconds=VECTORS["toleranceSeconds"],
                        now_seconds=vector["nowSeconds"],
                    )
                except ie.WebhookSignatureError as error:
                    fault = error.code
                self.assertEqual(fault, vector.get("fault"))


class EventsTest(unittest.TestCase):
    BODY = '{"id":"evt_1","type":"ping","createdAt":"2026-01-02T03:04:05.678Z","data":{}}'

    def test_a_signed_test_header_gives_the_event(self) -> None:
        header = ie.sign_test_header(self.BODY, "whsec_x")
        event = ie.verify_webhook(self.BODY, header, ["whsec_old", "whsec_x"])
        self.assertEqual((event.id, event.type, event.job), ("evt_1", "ping", None))
        self.assertEqual(event.created_at.isoformat(), "2026-01-02T03:04:05.678000+00:00")

    def test_a_clock_that_is_ten_minutes_wrong_is_named(self) -> None:
        now = int(time.time())
        for offset, code in ((600, "future_timestamp"), (-600, "stale_timestamp")):
            header = ie.sign_test_header(self.BODY, "whsec_x", timestamp_seconds=now + offset)
            with self.assertRaises(ie.WebhookSignatureError) as caught:
                ie.verify_webhook(self.BODY, header, "whsec_x")
            self.assertEqual(caught.exception.code, code)
            self.assertIn("clock", str(caught.exception))

    def test_a_signed_body_that_is_no_event(self) -> None:
        for body in ("nothing", "[]", "{}", '{"id":1}'):
            header = ie.sign_test_header(body, "whsec_x")
            with self.assertRaises(ie.WebhookSignatureError) as caught:
                ie.verify_webhook(body, header, "whsec_x")
            self.assertEqual(caught.exception.code, "malformed_body")

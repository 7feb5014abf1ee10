"""``enhance folder/ --preset``: flags are merged over the preset's output, which may change between runs."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Tuple

import image_enhancement as ie

from .folder_case import FolderCase, Service, answer

ERRORS = [{"field": "preset", "code": "not_found", "message": "There is no preset mine."}]
NOT_FOUND = answer({"code": "preset_not_found", "errors": ERRORS}, 404)


class ServiceWithPreset(Service):
    """A service with one preset."""

    def __init__(self) -> None:
        super().__init__()
        self.output: Dict[str, Any] = {"format": "jpeg", "quality": 92, "crop": "subject"}
        self.is_there = True
        self.reads = 0
        self.orders: List[Any] = []
        """The outputs in the requests for batches."""

    def __call__(self, request: ie.HttpRequest) -> ie.HttpResponse:
        if request.url.endswith("/api/ai/presets/mine"):
            self.reads += 1
            if not self.is_there:
                return NOT_FOUND
            preset = {"name": "mine", "operations": [{"operation": "upscale"}], "isBuiltIn": False}
            return answer({**preset, "output": self.output})
        if request.method == "POST" and request.url.endswith("/api/ai/batches"):
            assert isinstance(request.body, bytes)
            if not self.is_there and request.headers["idempotency-key"] not in self.batches:
                return NOT_FOUND
            self.orders.append(json.loads(request.body).get("output"))
        return super().__call__(request)


class PresetTest(FolderCase):
    order = ("--preset", "mine")

    def setUp(self) -> None:
        super().setUp()
        self.preset = self.service = ServiceWithPreset()

    def test_flags_change_only_their_part_of_its_output(self) -> None:
        self.assertEqual(self.enhance("--format", "png", "--padding", "0.1"), 0, self.said)
        expected = {"format": "png", "quality": 92, "crop": "subject", "padding": 0.1}
        self.assertEqual((self.preset.orders, self.preset.reads), ([expected], 1))

    def test_what_contradicts_a_flag_is_left_out(self) -> None:
        Output = Dict[str, Any]
        image: Output = {
            "background": "#ffffff",
            "shadow": True,
            "format": "jpeg",
            "quality": 92,
            "crop": "subject",
        }
        edges: Output = {"kind": "edges", "format": "webp", "quality": 80}
        mask: Output = {"kind": "mask", "crop": "subject"}
        cases: List[Tuple[Output, str, Output]] = [
            (image, "--kind mask", mask),
            (image, "--kind edges --format webp --quality 80", edges),
            (image, "--kind image", {**image, "kind": "image"}),
            (mask, "--background #000000", {"background": "#000000"}),
            (mask, "--shadow --kind image", {"shadow": True, "kind": "image"}),
            (mask, "--quality 80", {**mask, "quality": 80}),
            # A contradiction of the user, which the service explains.
            (image, "--kind mask --shadow", {**mask, "shadow": True}),
        ]
        for output, flags, expected in cases:
            with self.subTest(flags):
                self.setUp()
                self.preset.output = output
                self.assertEqual(self.enhance(*flags.split()), 0, self.said)
                self.assertEqual(self.preset.orders, [{"crop": "subject", **expected}])

    def test_without_flags_the_service_adds_its_output(self) -> None:
        self.assertEqual(self.enhance(), 0, self.said)
        self.assertEqual((self.preset.orders, self.preset.reads), ([None], 0))

    def test_a_preset_without_an_output(self) -> None:
        self.preset.output = {}
        self.assertEqual(self.enhance("--quality", "50"), 0, self.said)
        self.assertEqual(self.preset.orders, [{"quality": 50}])

    def test_what_was_canceled_is_enhanced_with_the_preset_as_it_is_now(self) -> None:
        self.preset.is_interrupted = True
        self.assertEqual(self.enhance("--format", "png"), 130, self.said)
        self.preset.output = {"metadata": "keep"}
        self.assertEqual((self.enhance("--format", "png"), self.results()), (0, ["a", "b", "c"]), self.said)
        # The last word of an interrupt repeats the request as it was, whatever the preset is.
        before = {"format": "png", "quality": 92, "crop": "subject"}
        self.assertEqual(self.preset.orders[-1], {"metadata": "keep", "format": "png"})
        self.assertEqual([each for each in self.preset.orders[:-1] if each != before], [])
        self.assertEqual((self.preset.retries, self.preset.uploads), ([], 3))

    def test_a_batch_of_an_earlier_version_is_withdrawn_as_it_was_sent(self) -> None:
        self.preset.breaks = "after"
        self.assertEqual(self.enhance("--format", "png"), 5, self.said)
        self.preset.breaks = ""
        (journal,) = self.done.glob(".*.jsonl")
        lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
        for line in lines:
            line["set"].pop("preset_output", None)
        journal.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
        self.assertEqual((self.enhance("--format", "png"), self.results()), (0, ["a", "b", "c"]), self.said)
        merged = {"format": "png", "quality": 92, "crop": "subject"}
        self.assertEqual(self.preset.orders[-2:], [{"format": "png"}, merged])
        self.assertEqual(self.preset.canceled, ["bat_0"])

    def test_a_preset_that_is_not_there_creates_nothing(self) -> None:
        self.preset.is_there = False
        self.assertEqual(self.enhance("--format", "png"), 1, self.said)
        self.assertEqual(self.said.count("answered 404"), 3, "each image has failed")
        self.preset.is_there = True
        self.assertEqual((self.enhance("--format", "png"), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((len(self.preset.orders), self.preset.uploads), (1, 3))

    def test_a_batch_is_collected_although_its_preset_was_deleted(self) -> None:
        self.preset.breaks = "after"
        self.assertEqual(self.enhance("--format", "png"), 5, self.said)
        self.preset.breaks, self.preset.is_there = "", False
        self.assertEqual((self.enhance("--format", "png"), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((self.sources(), self.preset.canceled), ([[1, 2, 3]], []))

    def test_a_batch_that_was_not_created_before_its_preset_was_deleted(self) -> None:
        self.preset.breaks = "before"
        self.assertEqual(self.enhance("--format", "png"), 5, self.said)
        self.preset.breaks, self.preset.is_there = "", False
        for _ in range(2):
            self.assertEqual(self.enhance("--format", "png", "--json"), 1, self.said)
            codes = [json.loads(line)["error"]["code"] for line in self.said.splitlines()]
            self.assertEqual(codes, ["preset_not_found"] * 3, "each image has failed once")
        self.preset.is_there = True
        self.assertEqual((self.enhance("--format", "png"), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((self.sources(), self.preset.uploads), ([[1, 2, 3]], 3))

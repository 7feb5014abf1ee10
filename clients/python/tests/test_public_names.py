"""Where users import from stays where it is, however the files behind it are cut; and files stay short."""

from __future__ import annotations

import importlib
import pickle
import typing
import unittest
from pathlib import Path

import image_enhancement as ie

# Imported as users do, so that the type checker sees it, too.
from image_enhancement.aio import AsyncBatches, AsyncClient, AsyncDeliveries, AsyncEndpoints, AsyncJobs, AsyncPaged, AsyncPresets, AsyncResult
from image_enhancement.aio import AsyncSources, AsyncWebhooks
from image_enhancement.client import Client
from image_enhancement.models import Attempt, Delivery, DryRun, Endpoint, EventType, Job, JobError, JobModel, JobOutput
from image_enhancement.models import Batch, BatchCounts, BatchDryRun, BatchFailure, CallbackSecret, Preset, SkippedItem
from image_enhancement.models import AppliedOutput, AppliedShadow, JobCrop, JobShadow
from image_enhancement.models import JobOperation, JobOperationTimings
from image_enhancement.models import JobResult, JobState, JobTimings, Json, Operation, Page, Source, Usage, WebhookEvent
from image_enhancement.models import format_time, parse_time

MODELS = (
    (Attempt, Delivery, DryRun, Endpoint, EventType, Job, JobError, JobModel, JobOutput)
    + (AppliedOutput, AppliedShadow, JobCrop, JobOperation, JobOperationTimings, JobShadow)
    + (Batch, BatchCounts, BatchDryRun, BatchFailure, CallbackSecret, Preset, SkippedItem)
    + (JobResult, JobState, JobTimings, Operation, Page, Source, Usage, WebhookEvent)
)

SOURCES = Path(__file__).parents[1] / "src" / "image_enhancement"


class PublicNamesTest(unittest.TestCase):
    def test_models_are_the_same_wherever_they_are_imported_from(self) -> None:
        models = importlib.import_module("image_enhancement.models")
        for model in MODELS:
            with self.subTest(model.__name__):
                self.assertIs(getattr(ie, model.__name__), model)
                self.assertIn(model.__name__, models.__all__)
        self.assertEqual({*models.__all__} - {model.__name__ for model in MODELS}, {"Json", "format_time", "parse_time"})
        self.assertEqual(typing.get_type_hints(Job)["raw"], Json)
        self.assertEqual(format_time(parse_time("2026-01-02T03:04:05.678Z")), "2026-01-02T03:04:05.678Z")

    def test_the_parts_of_the_async_client(self) -> None:
        client = AsyncClient("ies_x", "http://x")
        webhooks = client.webhooks
        self.assertEqual(
            [type(part) for part in (client.jobs, client.batches, client.presets, client.sources, webhooks, webhooks.endpoints, webhooks.deliveries)],
            [AsyncJobs, AsyncBatches, AsyncPresets, AsyncSources, AsyncWebhooks, AsyncEndpoints, AsyncDeliveries],
        )
        self.assertIs(type(client.jobs.list()), AsyncPaged)
        self.assertIs(ie.AsyncClient, AsyncClient)
        self.assertIs(ie.AsyncResult, AsyncResult)
        self.assertIs(ie.Client, Client)

    def test_models_can_be_kept(self) -> None:
        result = JobResult("png", 1, 2, 3, "00", parse_time("2026-01-02T03:04:05.678Z"), None)
        self.assertEqual(pickle.loads(pickle.dumps(result)), result)

    def test_no_file_is_longer_than_the_house_allows(self) -> None:
        written = [path for path in SOURCES.glob("**/*.py") if path.name != "generated.py"]
        lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in written}
        self.assertEqual({name: length for name, length in lengths.items() if length > 300}, {})

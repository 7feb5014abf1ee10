"""Where users import from stays where it is, and the reference names all that the package gives, and no more."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pickle
import re
import subprocess
import sys
import typing
import unittest
from pathlib import Path
from typing import Any, Dict, List, Set

import image_enhancement as ie
from image_enhancement import aio, batches, client, jobs, options, presets, sources, webhooks

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
        parts = AsyncClient("ies_x", "http://x")
        hooks = parts.webhooks
        self.assertEqual(
            [type(part) for part in (parts.jobs, parts.batches, parts.presets, parts.sources, hooks, hooks.endpoints, hooks.deliveries)],
            [AsyncJobs, AsyncBatches, AsyncPresets, AsyncSources, AsyncWebhooks, AsyncEndpoints, AsyncDeliveries],
        )
        self.assertIs(type(parts.jobs.list()), AsyncPaged)
        self.assertIs(ie.AsyncClient, AsyncClient)
        self.assertIs(ie.AsyncResult, AsyncResult)
        self.assertIs(ie.Client, Client)

    def test_asyncio_is_imported_when_it_is_first_used(self) -> None:
        program = """
import sys, image_enhancement as ie, image_enhancement.__main__
print("asyncio" in sys.modules, {"AsyncClient", "AsyncResult", "aio"} <= {*dir(ie)})
print(ie.AsyncClient is ie.aio.AsyncClient, "asyncio" in sys.modules, hasattr(ie, "AsyncNothing"))
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout.splitlines(), ["False True", "True True False"], done.stderr)

    def test_models_can_be_kept(self) -> None:
        result = JobResult("png", 1, 2, 3, "00", parse_time("2026-01-02T03:04:05.678Z"), None)
        self.assertEqual(pickle.loads(pickle.dumps(result)), result)

    def test_no_file_is_longer_than_the_house_allows(self) -> None:
        written = [path for path in SOURCES.glob("**/*.py") if path.name != "generated.py"]
        lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in written}
        self.assertEqual({name: length for name, length in lengths.items() if length > 300}, {})


PAGE = (Path(__file__).parents[1] / "docs" / "reference.md").read_text("utf-8")
NAMES: Set[str] = {name for span in re.findall(r"`[^`]+`", PAGE) for name in re.findall(r"[A-Za-z_]\w*", span)}

PARTS: Dict[str, Any] = {
    "": client.Client,
    "jobs.": jobs.Jobs,
    "batches.": batches.Batches,
    "presets.": presets.Presets,
    "sources.": sources.Sources,
    "webhooks.": webhooks.Webhooks,
    "webhooks.endpoints.": webhooks.Endpoints,
    "webhooks.deliveries.": webhooks.Deliveries,
}
ASYNC_PARTS: Dict[str, Any] = {
    "": aio.AsyncClient,
    "jobs.": aio.AsyncJobs,
    "batches.": aio.AsyncBatches,
    "presets.": aio.AsyncPresets,
    "sources.": aio.AsyncSources,
    "webhooks.": aio.AsyncWebhooks,
    "webhooks.endpoints.": aio.AsyncEndpoints,
    "webhooks.deliveries.": aio.AsyncDeliveries,
}


def calls_of(part: Any) -> List[str]:
    return [name for name, value in inspect.getmembers(part, callable) if not name.startswith("_")]


class ReferenceTest(unittest.TestCase):
    def test_every_name_of_the_package(self) -> None:
        self.assertEqual([name for name in ie.__all__ if name not in NAMES], [])

    def test_every_call_with_its_arguments(self) -> None:
        for prefix, part in PARTS.items():
            for name in calls_of(part):
                with self.subTest(f"{prefix}{name}"):
                    arguments = list(inspect.signature(getattr(part, name)).parameters)
                    shown = re.search(rf"`{re.escape(prefix + name)}\(([^`]*)\)`", PAGE)
                    assert shown is not None, "is not in the reference"
                    listed = re.findall(r"([a-z_]\w*)(?:=[^,)]*)?", re.sub(r"=[^,)]+", "", shown.group(1)))
                    self.assertEqual(listed, [each for each in arguments if each != "self"])

    def test_every_error_and_what_it_tells(self) -> None:
        for name in ie.__all__:
            value = getattr(ie, name)
            if not (inspect.isclass(value) and issubclass(value, ie.ImageEnhancementError)):
                continue
            properties = [key for key, entry in vars(value).items() if isinstance(entry, property)]
            self.assertEqual([each for each in properties if each not in NAMES], [], name)
        mentioned = {name for name in NAMES if name.endswith("Error") and name not in ("KeyboardInterrupt", "CancelledError")}
        builtin = {"OSError"}
        self.assertEqual({name for name in mentioned - builtin if not hasattr(ie, name)}, set())

    def test_every_model_with_just_its_fields(self) -> None:
        rows = re.findall(r"^\| `(\w+)` +\| (.*?) *\|$", PAGE[PAGE.index("## Models") :], re.MULTILINE)
        listed = {name: re.findall(r"`(\w+)`", fields) for name, fields in rows}
        models = {name: value for name, value in vars(ie).items() if dataclasses.is_dataclass(value)}
        fields = {
            name: [field.name for field in dataclasses.fields(value) if field.name != "raw"]
            for name, value in models.items()
        }
        self.assertEqual(listed, fields)

    def test_every_option_of_requests(self) -> None:
        rows = re.findall(r"^\| (`.*?`) +\| .*? +\| (.*?) +\|$", PAGE[PAGE.index("## Options of requests") :], re.MULTILINE)
        accepted: Dict[str, Set[str]] = {}
        for names, kinds in rows:
            for name in re.findall(r"`(\w+)`", names):
                accepted[name] = {*re.findall(r"`(\w+)`", kinds)}
        kinds_of = {kind.__name__: {*kind.__annotations__} for kind in (options.JobOptions, options.DryRunOptions, options.BatchOptions)}
        kinds_of["Step"] = {*options.StepOptions.__annotations__}
        for kind, known in kinds_of.items():
            self.assertEqual({name for name in accepted if kind in accepted[name]}, known, kind)

    def test_both_clients_have_the_same_calls(self) -> None:
        for prefix, part in PARTS.items():
            self.assertEqual(calls_of(ASYNC_PARTS[prefix]), calls_of(part), prefix)


class ChangelogTest(unittest.TestCase):
    def test_it_tells_of_this_version(self) -> None:
        root = Path(__file__).parents[1]
        self.assertIn(f"## [{ie.__version__}]", (root / "CHANGELOG.md").read_text("utf-8"))
        self.assertIn(f'version = "{ie.__version__}"\n', (root / "pyproject.toml").read_text("utf-8"))

"""The models have every field that the service answers, as its API document tells."""

from __future__ import annotations

import dataclasses
import json
import re
import unittest
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List, Mapping, Type

import image_enhancement as ie

DOCUMENT = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text("utf-8"))
SCHEMAS: Dict[str, Any] = DOCUMENT["components"]["schemas"]

MODELS: Dict[str, Type[Any]] = {
    "AppliedOutput": ie.AppliedOutput,
    "AppliedShadow": ie.AppliedShadow,
    "Attempt": ie.Attempt,
    "Batch": ie.Batch,
    "BatchCounts": ie.BatchCounts,
    "BatchDetail": ie.Batch,
    "BatchDryRun": ie.BatchDryRun,
    "BatchFailure": ie.BatchFailure,
    "BatchList": ie.Page,
    "BatchWithSkipped": ie.Batch,
    "CallbackSecret": ie.CallbackSecret,
    "Delivery": ie.Delivery,
    "DryRun": ie.DryRun,
    "Endpoint": ie.Endpoint,
    "EndpointWithSecret": ie.Endpoint,
    "EventType": ie.EventType,
    "Job": ie.Job,
    "JobCrop": ie.JobCrop,
    "JobError": ie.JobError,
    "JobModel": ie.JobModel,
    "JobOperation": ie.JobOperation,
    "JobOperationTimings": ie.JobOperationTimings,
    "JobOutput": ie.JobOutput,
    "JobResult": ie.JobResult,
    "JobShadow": ie.JobShadow,
    "JobTimings": ie.JobTimings,
    "NewCallbackSecret": ie.CallbackSecret,
    "Operation": ie.Operation,
    "SkippedItem": ie.SkippedItem,
    "Preset": ie.Preset,
    "Source": ie.Source,
    "Usage": ie.Usage,
    "DeliveryList": ie.Page,
    "EndpointList": ie.Page,
    "JobList": ie.Page,
    "SourceList": ie.Page,
}
FLAT = {"DryRunQuota", "DryRunResult", "EnhancementsUsage", "JobMask", "RequestsPerMinute", "StorageUsage"}
"""Parts of the usage, of a dry run and of an operation, which are flat."""
RENAMED = {"enhancements_resets_at": "enhancements_reset_at"}
LISTED = {"EventTypeList", "OperationList", "PresetList"}
"""Given as a plain list."""
OTHERS: Dict[str, str] = {
    "Problem": "what errors are made of; whole as ApiError.problem",
    "Recovered": "given as a number",
    "DirectUpload": "the client sends files through the service, and not to its store directly",
}
ASKED = ("Create", "EnhancementStep", "Update", "UploadFromUrl", "Retry", "Rotate", "SavePreset", "Recover", "Output")
"""What callers give, as arguments."""
HEALTH = ("ModelHealth", "ModelRefusal", "ModelWorker", "ServedModel", "ServedOperation")
"""What operators look at, not clients."""

TIME = "2026-01-02T03:04:05.678Z"
AT = datetime(2026, 1, 2, 3, 4, 5, 678_000, timezone.utc)


def snake(name: str) -> str:
    """The name of a field in Python."""
    return re.sub(r"[A-Z]", lambda letter: f"_{letter.group().lower()}", name)


def name_of(schema: Mapping[str, Any]) -> str:
    """The name of the schema that is referred to, or an empty text."""
    for part in (schema, *schema.get("anyOf", []), *schema.get("allOf", []), *schema.get("oneOf", [])):
        if "$ref" in part:
            return str(part["$ref"]).rsplit("/", 1)[-1]
    return ""


def sample(schema: Mapping[str, Any]) -> Any:
    """A value as the service answers it, with nothing left out and nothing null."""
    if name_of(schema):
        return sample(SCHEMAS[name_of(schema)])
    kinds = schema.get("type", "object")
    kind = kinds if isinstance(kinds, str) else next(each for each in kinds if each != "null")
    if kind == "object":
        return {name: sample(each) for name, each in schema.get("properties", {}).items()} or {"a": "b"}
    if kind == "array":
        return [sample(schema["items"])]
    if kind in ("integer", "number"):
        return 7
    if kind == "boolean":
        return True
    return TIME if schema.get("format") == "date-time" else str(schema.get("enum", ["text"])[0])


def leaves(schema: Mapping[str, Any], prefix: str = "") -> Dict[str, Any]:
    """The fields of a model with their schemas; parts of the usage are flat."""
    fields: Dict[str, Any] = {}
    for name, each in schema["properties"].items():
        field = prefix + snake(name)
        if name_of(each) in FLAT:
            fields.update(leaves(SCHEMAS[name_of(each)], f"{field}_"))
        else:
            fields[RENAMED.get(field, field)] = each
    return fields


def read(schema: Mapping[str, Any]) -> Any:
    """The sample of a schema as the client gives it: times and models are given as what they are."""
    value = sample(schema)
    if name_of(schema) in MODELS:
        return MODELS[name_of(schema)].from_json(value)
    if isinstance(value, list):
        return [read(schema["items"])]
    return AT if value == TIME else value


class FieldsTest(unittest.TestCase):
    def test_every_schema_is_a_model_or_has_a_reason_not_to_be(self) -> None:
        known = {*MODELS, *FLAT, *LISTED, *OTHERS}
        rest = [name for name in SCHEMAS if name not in known and not name.startswith((*ASKED, *HEALTH))]
        self.assertEqual(rest, [])
        self.assertEqual(known - {*SCHEMAS}, set())

    def test_every_field_is_there(self) -> None:
        for name, model in MODELS.items():
            with self.subTest(name):
                fields = [field.name for field in dataclasses.fields(model)]
                self.assertEqual([each for each in leaves(SCHEMAS[name]) if each not in fields], [])

    def test_no_field_is_made_up(self) -> None:
        told: Dict[Type[Any], List[str]] = {}
        for name, model in MODELS.items():
            told.setdefault(model, ["raw"]).extend(leaves(SCHEMAS[name]))
        for model, names in told.items():
            with self.subTest(model.__name__):
                fields = [field.name for field in dataclasses.fields(model)]
                self.assertEqual([each for each in fields if each not in names], [])

    def test_every_field_is_read(self) -> None:
        for name, model in MODELS.items():
            if not hasattr(model, "from_json"):
                continue
            actual = model.from_json(sample(SCHEMAS[name]))
            for field, schema in leaves(SCHEMAS[name]).items():
                with self.subTest(f"{name}.{field}"):
                    self.assertEqual(getattr(actual, field), read(schema))
                    self.assertIsNotNone(getattr(actual, field))


class OptionsTest(unittest.TestCase):
    """Type checkers know just the fields that the API document has for requests."""

    ARGUMENTS = {"operation", "source_url", "source_urls", "on_quota", "dry_run"}
    """Arguments of their own, or calls of their own."""

    def test_every_option_of_requests(self) -> None:
        kinds: Dict[str, Type[Any]] = {
            "EnhancementStep": ie.StepOptions,
            "CreateJob": ie.JobOptions,
            "CreateBatch": ie.BatchOptions,
        }
        for name, kind in kinds.items():
            asked = {snake(field) for field in SCHEMAS[name]["properties"]}
            self.assertEqual({*kind.__annotations__}, asked - self.ARGUMENTS, name)

    def test_every_field_of_an_option(self) -> None:
        kinds = {"mask": ie.Mask, "output": ie.Output}
        for name, kind in kinds.items():
            schema = SCHEMAS["CreateJob"]["properties"][name]
            schema = SCHEMAS[name_of(schema)] if name_of(schema) else schema
            self.assertEqual({*kind.__annotations__}, {*schema["properties"]}, name)

"""Reports about each image, as text or as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Dict, Optional

from .._limits.cancellation import Cancelled
from ..errors import ApiError, ImageEnhancementError
from .targets import Targets


def say(report: Dict[str, Any], targets: Targets, options: argparse.Namespace) -> None:
    """Prints the report on one image."""
    # When the image goes to standard output, nothing else may be written there.
    out = sys.stderr if targets.is_standard else sys.stdout
    if options.json:
        print(json.dumps(report), file=out, flush=True)
    elif "error" in report:
        command = report["error"].get("command")
        hint = "" if command is None else f"\n  To download its result: {command}"
        print(f"{report['file']}: {report['error']['message']}{hint}", file=sys.stderr, flush=True)
    elif not options.quiet:
        print(_text_of(report), file=out, flush=True)


def skipped(file: object, path: object) -> Dict[str, Any]:
    """The report on an image whose result exists, with --skip-existing."""
    return {"file": str(file), "output": str(path), "skipped": True}


def error_json(error: ImageEnhancementError, command: Optional[str] = None) -> Dict[str, Any]:
    """An error as JSON, in the terms of the API. ``command`` downloads the result that the job may have."""
    answer = {"status": error.status, "requestId": error.request_id} if isinstance(error, ApiError) else {}
    return {
        "code": error.code,
        "message": error.message,
        **answer,
        "jobId": error.job_id,
        "idempotencyKey": error.idempotency_key,
        **({} if command is None else {"command": command}),
    }


def left_of(interrupt: Cancelled) -> Optional[ImageEnhancementError]:
    """Describes a job that may remain after an interrupt, because the service could not be reached to cancel
    it.
    """
    job_id: Optional[str] = getattr(interrupt, "completed_job_id", None)
    if job_id is not None:
        text = f"The job {job_id} had completed; its result was not saved, the service keeps it for now."
        return _aborted(text, job_id, None)
    key: Optional[str] = getattr(interrupt, "idempotency_key", None)
    if key is None or not hasattr(interrupt, "job_id"):
        # There is an upload at most.
        return None
    job_id = getattr(interrupt, "job_id")
    if job_id is None:
        rest = f"It is not known whether its job was created; the idempotency key {key} leads to it."
    else:
        rest = f"The job {job_id} could not be canceled."
    return _aborted(f"The call was aborted. {rest}", job_id, key)


def tell(text: str) -> None:
    """Prints to standard error, if anyone reads it."""
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        pass


def _aborted(text: str, job_id: Optional[str], idempotency_key: Optional[str]) -> ImageEnhancementError:
    error = ImageEnhancementError("aborted", text)
    error.job_id = job_id
    error.idempotency_key = idempotency_key
    return error


def _text_of(report: Dict[str, Any]) -> str:
    if "skipped" in report:
        return f"{report['file']}: skipped, because {report['output']} exists"
    return _would(report) if "dryRun" in report else str(report["output"])


def _would(report: Dict[str, Any]) -> str:
    would = report["dryRun"]
    result = would["result"]
    size = f"{result['width']}×{result['height']} {result['format']}"
    seconds = would["estimatedSeconds"]
    time = "" if seconds is None else f", about {seconds:g} s"
    remaining = would["quota"]["remaining"]
    return f"{report['file']}: would cost {would['cost']} of {remaining} enhancements: {size}{time}"

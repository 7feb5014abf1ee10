"""``presets``: lists, shows, saves and deletes presets."""

from __future__ import annotations

import argparse
import json

from .._models.preset import Preset
from ..client import Client
from .exit import EXIT_DONE
from .job_options import Background, output_of
from .order import request_of, work_of
from .targets import UsageError


def presets_command(client: Client, options: argparse.Namespace) -> int:
    """Runs a preset command. Returns the exit code. Raises UsageError."""
    if options.verb == "list" and options.name is None:
        for preset in client.presets.list():
            print(_line_of(preset, options.json))
        return EXIT_DONE
    if options.verb == "list" or options.name is None:
        raise UsageError("presets list, or presets show, save or delete with the name of a preset.")
    if options.verb == "delete":
        client.presets.delete(options.name)
        return EXIT_DONE
    preset = client.presets.get(options.name) if options.verb == "show" else _save(client, options)
    print(_line_of(preset, True) if options.json else json.dumps(preset.raw, indent=2, ensure_ascii=False))
    return EXIT_DONE


def _save(client: Client, options: argparse.Namespace) -> Preset:
    steps = work_of(options).steps
    if steps is None:
        raise UsageError("Name the operations of the preset: --operation, --then")
    request = request_of(options, output_of(options, Background(client, options).get()))
    operations = [dict(step) for step in steps]
    return client.presets.save(options.name, operations, output=request.get("output"))  # type: ignore[arg-type]


def _line_of(preset: Preset, is_json: bool) -> str:
    """``portrait  auto_enhance:low, smooth_skin:medium  built in``."""
    if is_json:
        return json.dumps(preset.raw)
    steps = [
        step["operation"] if step.get("level") is None else f"{step['operation']}:{step['level']}"
        for step in preset.operations
    ]
    return f"{preset.name}  {', '.join(steps)}{'  built in' if preset.is_built_in else ''}"

"""The order on the command line, which applies to every image."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .merged_output import merged_output
from .targets import UsageError, format_of, is_folder

_DEFAULT_OPERATION = "auto_enhance"
_STEP = ("level", "strength", "scale", "width", "height", "fit")
_TERMS = ("cache", "callback_url", "cancel_after", "expires_in")
_THEN = re.compile(r"([a-z0-9_]+)(?::(low|medium|high))?")
_MODEL = re.compile(r"([a-z][a-z0-9_]*)@\d+")


@dataclass(frozen=True)
class Work:
    """The work to do on each image."""

    request: Mapping[str, Any]
    """As options of a request."""
    label: str
    """In the names of results: the first operation, or the name of the preset."""
    steps: Optional[Sequence[Mapping[str, Any]]]
    """None for a preset, whose operations the service knows."""


def work_of(options: argparse.Namespace) -> Work:
    """The work from the flags. Flags of an operation apply to the first one. Raises UsageError."""
    given = {name: getattr(options, name) for name in _STEP if getattr(options, name) is not None}
    if options.preset is not None:
        if given or options.operation is not None or options.then or options.model:
            raise UsageError(
                f"The preset {options.preset} says what is done. Leave out --operation, --level, --then, --model and"
                " the options of an operation."
            )
        return Work({"preset": options.preset}, str(options.preset), None)
    operation = options.operation or _DEFAULT_OPERATION
    steps = _pinned([{"operation": operation, **given}, *map(_then, options.then)], options.model)
    return Work(steps[0] if len(steps) == 1 else {"operations": steps}, operation, steps)


def request_of(
    options: argparse.Namespace, output: Mapping[str, Any], of_preset: Optional[Mapping[str, Any]] = None
) -> Dict[str, Any]:
    """The work and the output as options of a request. ``of_preset``: the output that this one is merged
    over. Raises UsageError.
    """
    chosen = format_of_results(options)
    given = {**output, **({} if chosen is None else {"format": chosen})}
    whole = merged_output(of_preset or {}, given)
    return {**work_of(options).request, **({"output": whole} if whole else {})}


def terms_of(options: argparse.Namespace) -> Dict[str, Any]:
    """Job options in the form of a request."""
    return {name: getattr(options, name) for name in _TERMS if getattr(options, name) is not None}


def format_of_results(options: argparse.Namespace) -> Optional[str]:
    """The requested format: ``-o big.png`` requests a PNG."""
    text: str = options.output or ""
    return options.format or format_of(text[text.rfind(".") :] if "." in text else "")


def check_output(options: argparse.Namespace) -> None:
    """Without --format, the name of a single result determines its format. Raises UsageError for the extension of
    another format.
    """
    suffix = Path(options.output or "").suffix
    if suffix and format_of_results(options) is None and not is_folder(options.output):
        raise UsageError(
            f"No result is a {suffix} file. End --output with .jpg, .png, .webp or .avif, or choose a --format."
        )


def likely_format(options: argparse.Namespace, work: Work) -> Optional[str]:
    """The expected format of results if it differs from that of their sources; ``any`` for a preset."""
    chosen = format_of_results(options)
    if chosen is None and work.steps is None:
        return "any"
    is_cut_out = any(step["operation"] == "bg_remove" for step in work.steps or ())
    return chosen or ("png" if is_cut_out else None)


def _then(text: str) -> Dict[str, Any]:
    match = _THEN.fullmatch(text)
    if match is None:
        raise UsageError(f'--then takes an operation, or one with its level as upscale:high, not "{text}".')
    operation, level = match.groups()
    return {"operation": operation} if level is None else {"operation": operation, "level": level}


def _pinned(steps: Sequence[Dict[str, Any]], models: Sequence[str]) -> List[Dict[str, Any]]:
    """Applies each ``upscale@2`` to the steps with that operation."""
    pinned: Dict[str, str] = {}
    for model in models:
        match = _MODEL.fullmatch(model)
        if match is None:
            raise UsageError(f'--model takes an operation and a version of its model, as upscale@2, not "{model}".')
        if all(step["operation"] != match.group(1) for step in steps):
            raise UsageError(f"--model {model} is for {match.group(1)}, which is none of the operations.")
        pinned[match.group(1)] = model
    return [{**step, **({"model": pinned[step["operation"]]} if step["operation"] in pinned else {})} for step in steps]

"""Merges what the command line says of an output over that of a preset."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Set

_OF_AN_IMAGE = ("background", "shadow", "format", "quality")
"""What a preset says of its image, and not of the mask or the outline of it."""


def merged_output(of_preset: Mapping[str, Any], given: Mapping[str, Any]) -> Dict[str, Any]:
    """The output of a preset, changed by what is given. What contradicts it is left out: the service refuses a
    background or a shadow together with a mask, and no flag could take them from the preset.
    """
    omitted: Set[str] = set()
    if _is_matte(given):
        omitted.update(_OF_AN_IMAGE)
    if _is_matte(of_preset) and ("background" in given or "shadow" in given):
        omitted.add("kind")
    kept = {name: value for name, value in of_preset.items() if name not in omitted}
    return {**kept, **given}


def _is_matte(output: Mapping[str, Any]) -> bool:
    return output.get("kind") in ("mask", "edges")

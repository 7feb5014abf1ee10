"""What a training started from. Only a training with the same start may continue its saved state."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

from torch import nn

Origin = dict[str, str | int | float]
"""`start`, the `weights` of the start, and the settings that a continued training must share, by name."""


class OtherTraining(Exception):
    """The saved state belongs to a training with another start. The message says what to do."""


def origin(start: str, weights: nn.Module | None, **settings: str | int | float) -> Origin:
    """The origin of a training. `weights`: the network of the start, or None if only `start` matters."""
    return {"start": start, "weights": fingerprint(weights) if weights else "any", **settings}


def fingerprint(net: nn.Module) -> str:
    """Hash of all weights of a network."""
    total = hashlib.sha256()
    for name, values in net.state_dict().items():
        total.update(name.encode() + values.cpu().numpy().tobytes())
    return total.hexdigest()[:12]


def require_same(path: Path, saved: Origin, now: Origin, shipped: Collection[str]) -> None:
    """Raise OtherTraining unless both are alike.

    A training may overwrite the weights that it began with. So weights `shipped` from the saved state count
    as those of its start.
    """
    other = {name: value for name, value in now.items() if saved.get(name) != value}
    if "start" in other or other.get("weights") in shipped:
        other.pop("weights", None)
    if other:
        differences = ", ".join(f"{name} {saved.get(name)}, not {value}" for name, value in other.items())
        raise OtherTraining(
            f"{path} is of another training: {differences}. To train anew, delete it or choose another "
            "folder with --checkpoints. To continue it, use the options that it began with."
        )

"""Everything that a training run needs to resume, in one file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from networks.origin import Origin, fingerprint, require_same


@dataclass
class TrainingState:
    """A network, its running average, and its optimizer."""

    path: Path
    net: nn.Module
    mean: AveragedModel
    optimizer: torch.optim.Optimizer
    origin: Origin | None
    """None: older versions saved the state, and did not say."""
    shipped: list[str] = field(default_factory=list)
    """Fingerprints of weights that were written from this state to `models/` and the like."""

    def save(self, step: int) -> None:
        """Write everything. If the run is killed during the write, the earlier file stays."""
        state = {
            "step": step,
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "origin": self.origin,
            "shipped": self.shipped,
        }
        _write(self.path, state)

    def load(self) -> int:
        """Restore the saved state. Returns its step; 0 when nothing was saved.

        Raises OtherTraining for the state of a training that began otherwise.
        """
        if self.origin is not None:
            refuse_other(self.path, self.origin)
        if not self.path.exists():
            return 0
        state = torch.load(self.path, map_location="cpu")
        self.origin, self.shipped = state.get("origin"), state.get("shipped", [])
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.optimizer.load_state_dict(state["optimizer"])
        return int(state["step"])


def refuse_other(path: Path, now: Origin) -> None:
    """Raise OtherTraining if a training with another start has saved this state."""
    state = torch.load(path, map_location="cpu") if path.exists() else {}
    if state.get("origin") is not None:
        require_same(path, state["origin"], now, state["shipped"])


def note_shipped(path: Path, net: nn.Module) -> None:
    """Note in a saved state that its average was written elsewhere, and is `net` there."""
    state = torch.load(path, map_location="cpu")
    _write(path, state | {"shipped": sorted({*state.get("shipped", ()), fingerprint(net)})})


def _write(path: Path, state: dict[str, Any]) -> None:
    half_written = path.with_suffix(".new")
    torch.save(state, half_written)
    os.replace(half_written, path)


Net = TypeVar("Net", bound=nn.Module)


def averaged(net: Net, path: Path) -> Net:
    """`net` with the averaged weights of a saved state, which ship. Raises FileNotFoundError without it."""
    mean = torch.load(path, map_location="cpu")["mean"]
    own = {name.removeprefix("module."): values for name, values in mean.items() if name != "n_averaged"}
    net.load_state_dict(own)
    return net.eval()


def warmed_average(decay: float) -> Callable[[list[Tensor], list[Tensor], Tensor | int], None]:
    """Exponential average of weights for `AveragedModel`. It is shorter at first, so that early weights fade.
    """

    def update(mean: list[Tensor], current: list[Tensor], count: Tensor | int) -> None:
        steps = int(count)
        get_ema_multi_avg_fn(min(decay, (1 + steps) / (10 + steps)))(mean, current, count)

    return update


@torch.no_grad()
def follow(mean: AveragedModel, net: nn.Module, decay: float) -> None:
    """`mean.update_parameters(net)` with `warmed_average(decay)`, without waiting for a GPU.

    The parameters and buffers of both are on the GPU; the counter of `mean` stays in main memory. Integers
    are copied.
    """
    count = int(mean.n_averaged)
    share = 1 - min(decay, (1 + count) / (10 + count)) if count else 1.0
    own = chain(mean.module.parameters(), mean.module.buffers())
    pairs = [*zip(own, chain(net.parameters(), net.buffers()), strict=True)]
    means, values = zip(*(pair for pair in pairs if pair[0].is_floating_point()), strict=True)
    torch._foreach_lerp_(means, values, share)
    counts, counted = zip(*(pair for pair in pairs if not pair[0].is_floating_point()), strict=True)
    torch._foreach_copy_(counts, counted)
    mean.n_averaged += 1


def keep(net: nn.Module, path: Path) -> None:
    """Write only the weights, in half precision and for any device: small enough to commit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({name: _halved(values).cpu() for name, values in net.state_dict().items()}, path)


def take_up(net: nn.Module, path: Path) -> None:
    """Read a file that `keep` wrote."""
    kept = torch.load(path, map_location="cpu")
    net.load_state_dict({name: _doubled(values) for name, values in kept.items()})


def _halved(values: Tensor) -> Tensor:
    return values.half() if values.is_floating_point() else values


def _doubled(values: Tensor) -> Tensor:
    return values.float() if values.is_floating_point() else values

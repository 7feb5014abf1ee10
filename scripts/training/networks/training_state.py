"""What a training run needs in order to go on where it was, in one file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


@dataclass(frozen=True)
class TrainingState:
    """A network, its running average and its optimizer."""

    path: Path
    net: nn.Module
    mean: AveragedModel
    optimizer: torch.optim.Optimizer

    def save(self, step: int) -> None:
        """Write everything; a run that is killed meanwhile leaves the file before."""
        state = {
            "step": step,
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }
        half_written = self.path.with_suffix(".new")
        torch.save(state, half_written)
        os.replace(half_written, self.path)

    def load(self) -> int:
        """Restore what was saved; the step it was saved at, 0 when nothing was."""
        if not self.path.exists():
            return 0
        state = torch.load(self.path)
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.optimizer.load_state_dict(state["optimizer"])
        return int(state["step"])


def warmed_average(decay: float) -> Callable[[list[Tensor], list[Tensor], Tensor | int], None]:
    """Exponential average of weights for `AveragedModel`: shorter at first, or the beginning would stay."""

    def update(mean: list[Tensor], current: list[Tensor], count: Tensor | int) -> None:
        steps = int(count)
        get_ema_multi_avg_fn(min(decay, (1 + steps) / (10 + steps)))(mean, current, count)

    return update


def keep(net: nn.Module, path: Path) -> None:
    """Write the weights alone, in half precision: small enough to commit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({name: _halved(values) for name, values in net.state_dict().items()}, path)


def take_up(net: nn.Module, path: Path) -> None:
    """Read what `keep` wrote."""
    net.load_state_dict({name: _doubled(values) for name, values in torch.load(path).items()})


def _halved(values: Tensor) -> Tensor:
    return values.half() if values.is_floating_point() else values


def _doubled(values: Tensor) -> Tensor:
    return values.float() if values.is_floating_point() else values

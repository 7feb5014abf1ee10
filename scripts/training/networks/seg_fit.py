"""The training loop of `bg_remove`, which can be stopped at any time and resumed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel

from networks.origin import Origin
from networks.seg_net import SegNet
from networks.seg_style import random_convolutions
from networks.training_state import TrainingState, follow, warmed_average

BATCH = 14
"""Usual number of pictures of a step."""
SIZES = (112, 128, 144, 160)
"""Input edges, one drawn for each step."""
EMA_DECAY = 0.999
"""The average of the last thousand or so steps' weights is what ships."""
SAVE_EVERY = {"cpu": 100, "cuda": 500}
"""Steps between two saved states, on each kind of device."""


class Source(Protocol):
    """A source of batches: `DrawnHere` or `Drawers`."""

    def next(self, device: torch.device) -> tuple[Tensor, Tensor]:
        """float32 images [N,3,S,S] 0..1 and truths [N,2,S,S]: subject, skin. A negative skin value is
        unknown.
        """
        ...


@dataclass(frozen=True)
class Plan:
    """The duration and settings of a training. The rate reaches 0 at the first of the limits."""

    rate: float
    """Peak of the learning rate."""
    strange: float
    """Share of pictures that go through a random convolution, 0..1."""
    steps: int | None
    """Limit of steps, those of a saved state included."""
    seconds: float | None = None
    """Limit of time since `begun`."""
    begun: float = 0.0
    """When this training began, by `time.monotonic`."""

    def share(self, step: int) -> float:
        """The completed fraction of the training, 0..1."""
        shares = []
        if self.steps is not None:
            shares.append(step / self.steps if self.steps else 1.0)
        if self.seconds is not None:
            shares.append((time.monotonic() - self.begun) / self.seconds)
        return min(1.0, max(shares))

    def rate_now(self, step: int) -> float:
        """Learning rate for a step that begins now."""
        if self.seconds is None and self.steps:
            return rate_at(self.rate, step, self.steps)
        return rate_at_share(self.rate, step, self.share(step))


def rate_at(peak: float, step: int, steps: int) -> float:
    """Learning rate: warmed up over 100 steps, then one cosine to 0."""
    return float(peak * min(1.0, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * step / steps)))


def rate_at_share(peak: float, step: int, share: float) -> float:
    """Like `rate_at`, for a completed fraction of the time (0..1) instead of the steps."""
    return float(peak * min(1.0, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * share)))


def objective(logits: Tensor, truth: Tensor) -> Tensor:
    """The loss of the subject, plus half the cross-entropy of the skin head.

    Where the truth of the skin is negative, it is unknown, and the head learns nothing.
    """
    known = (truth[:, 1] >= 0).float()
    entropy = F.binary_cross_entropy_with_logits(logits[:, 1], truth[:, 1].clamp(min=0), reduction="none")
    skin = (entropy * known).sum() / known.sum().clamp(min=1)
    return subject_loss(logits, truth) + 0.5 * skin


def subject_loss(logits: Tensor, truth: Tensor) -> Tensor:
    """Cross-entropy plus soft IoU of the first channel.

    Places in a neighborhood of the other kind, such as edges and holes, have up to four times the weight.
    """
    subject, around = truth[:, :1], 7 if truth.shape[-1] > 48 else 3
    nearby = F.avg_pool2d(subject, around * 2 + 1, 1, around, count_include_pad=False)
    weight = 1 + 3 * (nearby - subject).abs()
    entropy = F.binary_cross_entropy_with_logits(logits[:, :1], subject, reduction="none")
    chance = torch.sigmoid(logits[:, :1])
    both = (chance * subject * weight).sum((1, 2, 3))
    either = ((chance + subject) * weight).sum((1, 2, 3)) - both
    overlap = 1 - (both + 1) / (either + 1)
    return (entropy * weight).sum() / weight.sum() + overlap.mean()


class SegTrainer:
    """A network, its running average, and its optimizer, saved together in one file."""

    def __init__(self, net: SegNet, path: Path, origin: Origin, device: torch.device | None = None) -> None:
        """Everything is on `device`; default: the CPU.

        Raises OtherTraining if `path` is the state of a training with another origin.
        """
        self._device = device or torch.device("cpu")
        self.net = net.to(self._device, memory_format=torch.channels_last).train()
        self._mean = AveragedModel(net, multi_avg_fn=warmed_average(EMA_DECAY), use_buffers=True)
        self._optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-2)
        self._state = TrainingState(path, self.net, self._mean, self._optimizer, origin)
        self._step = self._state.load()

    def run(self, source: Source, plan: Plan) -> None:
        """Train up to the limit of `plan`. Resumes from a saved state.

        The progress is also saved when `source` fails.
        """
        report = Report(SAVE_EVERY[self._device.type])
        mean = torch.zeros((), dtype=torch.float64, device=self._device)  # read only when it is printed
        while plan.share(self._step) < 1:
            for group in self._optimizer.param_groups:
                group["lr"] = plan.rate_now(self._step)
            asked = time.monotonic()
            images, truths = self._next(source)
            report.waited += time.monotonic() - asked
            loss = self._update(random_convolutions(images, plan.strange), truths)
            mean += (loss - mean) * max(0.01, 1 / (self._step + 1))
            self._step += 1
            if self._step % report.every == 0:
                self._state.save(self._step)
                report.show(self._step, plan.steps, mean.item())
        self._state.save(self._step)

    def _next(self, source: Source) -> tuple[Tensor, Tensor]:
        try:
            return source.next(self._device)
        except Exception:
            self._state.save(self._step)
            raise

    def _update(self, images: Tensor, truths: Tensor) -> Tensor:
        first, last = self.net.opinions(images.contiguous(memory_format=torch.channels_last))
        loss = objective(last, F.avg_pool2d(truths, 2)) + 0.5 * subject_loss(first, F.avg_pool2d(truths, 4))
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self._optimizer.step()
        if self._device.type == "cpu":
            self._mean.update_parameters(self.net)
        else:
            follow(self._mean, self.net, EMA_DECAY)
        return loss.detach()


class Report:
    """Prints the speed of a training."""

    def __init__(self, every: int) -> None:
        """`every`: steps between two lines."""
        self.every = every
        self.waited = 0.0
        """Seconds without a batch since the last line."""
        self._begun = self._shown = time.monotonic()

    def show(self, step: int, steps: int | None, loss: float) -> None:
        """Print the loss, the time since the beginning, and the speed since the last line."""
        now = time.monotonic()
        passed = now - self._shown
        of = f"/{steps}" if steps else ""
        print(
            f"{step}{of} loss {loss:.4f} {now - self._begun:.0f} s, "
            f"{time.process_time():.0f} s of the processor, {self.every / passed:.2f} steps/s, "
            f"{self.waited / passed:.0%} waiting for batches",
            flush=True,
        )
        self._shown, self.waited = now, 0.0

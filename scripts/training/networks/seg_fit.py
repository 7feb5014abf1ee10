"""The training loop of `bg_remove`: it can be stopped at any time and goes on where it was."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel

from networks.seg_net import SegNet
from networks.seg_style import random_convolutions
from networks.training_state import TrainingState, warmed_average
from pools.mixed_pool import MixedPool
from pools.seg_pool import SegPool

BATCH = 14
SIZES = (112, 128, 144, 160)
"""Input edges, one drawn for each step."""
EMA_DECAY = 0.999
"""The average of the last thousand or so steps' weights is what ships."""
SAVE_EVERY = 100


def rate_at(peak: float, step: int, steps: int) -> float:
    """Learning rate: warmed up over 100 steps, then one cosine to 0."""
    return float(peak * min(1.0, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * step / steps)))


def objective(logits: Tensor, truth: Tensor) -> Tensor:
    """That of the subject, and cross-entropy of the skin head, which counts half.

    Where the truth of the skin is negative, it is not known, and the head learns nothing.
    """
    known = (truth[:, 1] >= 0).float()
    entropy = F.binary_cross_entropy_with_logits(logits[:, 1], truth[:, 1].clamp(min=0), reduction="none")
    skin = (entropy * known).sum() / known.sum().clamp(min=1)
    return subject_loss(logits, truth) + 0.5 * skin


def subject_loss(logits: Tensor, truth: Tensor) -> Tensor:
    """Cross-entropy plus soft IoU of the first channel.

    Places whose neighbourhood is of the other kind count up to four times: rims, and holes.
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
    """A network, its running average and its optimizer, saved together in one file."""

    def __init__(self, net: SegNet, path: Path) -> None:
        self.net = net.to(memory_format=torch.channels_last).train()
        self._mean = AveragedModel(net, multi_avg_fn=warmed_average(EMA_DECAY), use_buffers=True)
        self._optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-2)
        self._state = TrainingState(path, self.net, self._mean, self._optimizer)
        self._step = self._state.load()

    @property
    def average(self) -> SegNet:
        """The averaged network: what ships."""
        return self._mean.module.eval()

    def run(self, pool: SegPool | MixedPool, rng: np.random.Generator, steps: int, rate: float, strange: float) -> None:
        """Train up to `steps`; a saved state goes on from its step.

        `strange`: share of pictures that go through a random convolution.
        """
        begun, mean = time.process_time(), 0.0
        while self._step < steps:
            for group in self._optimizer.param_groups:
                group["lr"] = rate_at(rate, self._step, steps)
            images, truths = pool.batch(BATCH, int(rng.choice(SIZES)))
            pool.renew()
            mean += (self._update(random_convolutions(images, strange), truths) - mean) * max(
                0.01, 1 / (self._step + 1)
            )
            self._step += 1
            if self._step % SAVE_EVERY == 0:
                self._state.save(self._step)
                print(f"{self._step}/{steps} loss {mean:.4f} {time.process_time() - begun:.0f} s", flush=True)
        self._state.save(self._step)

    def _update(self, images: Tensor, truths: Tensor) -> float:
        first, last = self.net.opinions(images.contiguous(memory_format=torch.channels_last))
        loss = objective(last, F.avg_pool2d(truths, 2)) + 0.5 * subject_loss(first, F.avg_pool2d(truths, 4))
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self._optimizer.step()
        self._mean.update_parameters(self.net)
        return loss.item()

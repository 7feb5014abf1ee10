"""The training loop of `upscale`, which can be stopped at any time and resumed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.optim.swa_utils import AveragedModel

from measuring.measures import luma_psnr
from networks.origin import Origin
from networks.sr_net import SrNet
from networks.training_state import TrainingState, warmed_average
from pools.sr_pool import SrPool, drawn_test

BATCH = {2: 8, 4: 12}
EDGE = {2: 48, 4: 28}
RIM = 2
"""Pixels of the small patch whose neighbors are padding, not picture: they don't count."""
TAUGHT = 0.7
"""Weight of what the teacher says, beside the truth."""
EMA_DECAY = 0.999
SAVE_EVERY = 300
RENEW_EVERY = 8
LUMA = torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)


@dataclass(frozen=True)
class Plan:
    """The settings of a training."""

    steps: int
    rate: float
    """Peak of the learning rate: warmed up over 300 steps, then one cosine to 0."""


def rate_at(plan: Plan, step: int) -> float:
    """Learning rate of a step."""
    warm = min(1.0, (step + 1) / 300)
    return float(plan.rate * warm * 0.5 * (1 + np.cos(np.pi * step / plan.steps)))


def objective(output: Tensor, high: Tensor, rim: int) -> Tensor:
    """Luma has the most weight, as in the published scores; color has little.

    Uses absolute errors: with squared ones, the few noisy pairs would dominate at the expense of clean
    pictures.
    """
    error = (output - high)[..., rim:-rim, rim:-rim]
    luma = (error * LUMA).sum(1)
    return luma.abs().mean() + 0.3 * error.abs().mean()


class Trainer:
    """A network, its running average, and its optimizer, saved together in one file."""

    def __init__(self, net: SrNet, path: Path, origin: Origin) -> None:
        """Raises OtherTraining if `path` is the state of a training with another origin."""
        self.net = net.to(memory_format=torch.channels_last)  # about twice as fast on one core
        self._mean = AveragedModel(net, multi_avg_fn=warmed_average(EMA_DECAY))
        self._optimizer = torch.optim.Adam(net.parameters(), betas=(0.9, 0.99))
        self._state = TrainingState(path, self.net, self._mean, self._optimizer, origin)
        self._step = self._state.load()

    @property
    def average(self) -> SrNet:
        """The averaged network, which is shipped."""
        return self._mean.module

    def run(self, pool: SrPool, plan: Plan) -> None:
        """Train up to `plan.steps`. Resumes from a saved state."""
        test, begun, mean = drawn_test(12, self.net.shape.factor), time.process_time(), 0.0
        while self._step < plan.steps:
            for group in self._optimizer.param_groups:
                group["lr"] = rate_at(plan, self._step)
            loss = self._update(pool)
            mean += (loss - mean) * 0.01
            self._step += 1
            if self._step % RENEW_EVERY == 0:
                pool.renew()
            if self._step % SAVE_EVERY == 0:
                self._state.save(self._step)
                score = drawn_score(self.average, test)
                spent = time.process_time() - begun
                print(
                    f"{self._step}/{plan.steps} loss {mean:.5f} drawn {score:.3f} dB {spent:.0f} s",
                    flush=True,
                )
        self._state.save(self._step)

    def _update(self, pool: SrPool) -> float:
        factor = self.net.shape.factor
        low, high, taught = pool.batch(BATCH[factor], EDGE[factor])
        output = self.net(low.contiguous(memory_format=torch.channels_last))
        rim = RIM * factor
        loss = TAUGHT * objective(output, taught, rim) + (1 - TAUGHT) * objective(output, high, rim)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self._optimizer.step()
        self._mean.update_parameters(self.net)
        return loss.item()


@torch.no_grad()
def drawn_score(net: SrNet, test: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """Mean Y-PSNR, dB, on drawn pairs."""
    scores = []
    for low, high in test:
        planes = torch.from_numpy(low.transpose(2, 0, 1)[None].astype(np.float32) / 255)
        result = net(planes)[0].numpy().transpose(1, 2, 0)
        scores.append(luma_psnr(np.clip(np.round(result * 255), 0, 255), high, net.shape.factor))
    return float(np.mean(scores))

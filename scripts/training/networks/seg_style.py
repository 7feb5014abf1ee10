"""Random styles: a network that saw only one drawing style would detect the style instead of subjects."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

MIXED_SHARE = 0.4
"""Share of batches whose features swap their style."""
GROUPS = 4
"""Random convolutions of one batch."""


def beside(x: Tensor, chance: Tensor) -> Tensor:
    """`chance` on the device of `x`. The CPU draws it, so a seed gives the same values on every device.

    The copy does not wait for the GPU. This is safe because a few values are staged before the call returns.
    """
    return chance.to(x.device, non_blocking=True)


def mix_style(x: Tensor) -> Tensor:
    """Mean and standard deviation of each channel, mixed with those of another picture of the batch
    [N,C,H,W].

    Zhou et al. 2021, "Domain generalization with MixStyle".
    """
    if torch.rand(()) > MIXED_SHARE:
        return x
    mean, spread = x.mean((2, 3), keepdim=True).detach(), (x.var((2, 3), keepdim=True) + 1e-6).sqrt().detach()
    share = beside(x, torch.distributions.Beta(0.3, 0.3).sample((len(x), 1, 1, 1)))
    other = beside(x, torch.randperm(len(x)))
    mixed_mean = share * mean + (1 - share) * mean[other]
    mixed_spread = share * spread + (1 - share) * spread[other]
    return (x - mean) / spread * mixed_spread + mixed_mean


def random_convolutions(images: Tensor, share: float) -> Tensor:
    """Applies a random filter to a fraction of the pictures [N,3,H,W] 0..1. Colors and textures change;
    shapes stay.

    Xu et al. 2021, "Robust and generalizable visual representation learning via random convolutions".
    """
    parts = [_convolved(part) for part in images.chunk(GROUPS)]
    seen = torch.cat(parts)
    chosen = beside(images, (torch.rand(len(images), 1, 1, 1) < share).float())
    return images + chosen * (seen - images)


def _convolved(images: Tensor) -> Tensor:
    side = int(torch.randint(0, 4, ())) * 2 + 1
    kernel = beside(images, torch.randn(3, 3, side, side) / (3 * side**2) ** 0.5)
    mean = images.mean((2, 3), keepdim=True)
    found = F.conv2d(F.pad(images - mean, (side // 2,) * 4, mode="replicate"), kernel)
    scale = images.std((1, 2, 3), keepdim=True) / (found.std((1, 2, 3), keepdim=True) + 1e-4)
    share = beside(images, torch.rand(len(images), 1, 1, 1))
    filtered = found * scale.clamp(max=20) + mean
    return (share * images + (1 - share) * filtered).clamp(0, 1)

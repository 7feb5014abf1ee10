"""The output of a larger network for a drawn picture, which is an easier target for a small one than the
truth.
"""

from __future__ import annotations

import numpy as np
import torch

from networks.sr_net import SrNet


class Teacher:
    """The mean of a network's outputs for a picture in four orientations (self-ensemble, Lim et al. 2017:
    EDSR).

    Much of the truth cannot be inferred from the small picture. The output contains what can be learned from
    it (Hinton, Vinyals, Dean 2015: knowledge distillation).
    """

    def __init__(self, net: SrNet) -> None:
        self._net = net.eval().to(memory_format=torch.channels_last)
        self._rim = net.shape.receptive_field

    @torch.no_grad()
    def answer(self, low: np.ndarray) -> np.ndarray:
        """uint8 [H,W,3] to float16 [H·factor,W·factor,3], 0..255."""
        rim, factor = self._rim, self._net.shape.factor
        seen = np.pad(low, ((rim, rim), (rim, rim), (0, 0)), mode="edge")
        image = torch.from_numpy(seen.transpose(2, 0, 1)[None].astype(np.float32) / 255)
        total = torch.zeros(())
        for turns in range(4):
            turned = torch.rot90(image, turns, (2, 3)).contiguous(memory_format=torch.channels_last)
            total = total + torch.rot90(self._net(turned), -turns, (2, 3))
        cut = slice(rim * factor, -rim * factor)
        return (total[0, :, cut, cut] * (255 / 4)).numpy().transpose(1, 2, 0).astype(np.float16)

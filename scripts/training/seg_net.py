"""The subject network: a small U-Net that also sees how unlike the picture's border a place is."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seg_style import mix_style

GRID = 40
"""Side of the grid on which border likeness is computed (a quarter of the network's input)."""
STRETCH = ((12.0, 0.0, 0.0), (12.0, 3.0, 0.0), (12.0, 3.0, 1.0))
"""Rows: weight of colour, weight of position, 1 = without the lower border (people stand there)."""
FEATURES = len(STRETCH) + 3


class Block(nn.Module):
    """3×3 convolution, batch norm, ReLU; the norm is folded into the weights on export."""

    def __init__(self, source: int, target: int, stride: int = 1, kernel: int = 3) -> None:
        super().__init__()
        self.stride, self.pad = stride, kernel // 2
        self.conv = nn.Conv2d(source, target, kernel, stride, self.pad, bias=False)
        self.norm = nn.BatchNorm2d(target)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.norm(self.conv(x)))

    def folded(self) -> tuple[np.ndarray, np.ndarray]:
        """Weights and bias of the equivalent plain convolution."""
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        bias = self.norm.bias - self.norm.running_mean * scale
        weight = self.conv.weight * scale[:, None, None, None]
        return weight.detach().numpy(), bias.detach().numpy()


class SegNet(nn.Module):
    """float32 [N,3,4G,4G] 0..1 to logits [N,2,2G,2G]: subject, skin. G is a multiple of 4."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.ModuleList([Block(3, 16, 2), Block(16, 16)])
        self.down1 = nn.ModuleList([Block(16, 56, 2), Block(56 + FEATURES, 56), Block(56, 56)])
        self.down2 = nn.ModuleList([Block(56, 96, 2), Block(96, 96), Block(96, 96)])
        self.down3 = nn.ModuleList([Block(96, 128, 2), Block(128, 128), Block(128, 128)])
        self.everywhere = nn.Conv2d(128, 128, 1)
        self.up2 = nn.ModuleList([Block(128 + 96, 80, kernel=1), Block(80, 80)])
        self.up1 = nn.ModuleList([Block(80 + 56, 56, kernel=1), Block(56, 56)])
        self.up0 = nn.ModuleList([Block(56 + 16, 24, kernel=1), Block(24, 24)])
        self.out = nn.Conv2d(24, 2, 3, padding=1)

    def forward(self, image: Tensor) -> Tensor:
        x0 = self._styled(_chain(self.stem, image * 4 - 2))
        x1 = self._styled(self.down1[0](x0))
        x1 = _chain(self.down1[1:], torch.cat([x1, border_features(image)], 1))
        x2 = _chain(self.down2, x1)
        x3 = _chain(self.down3, x2)
        x3 = F.relu(x3 + self.everywhere(x3.mean((2, 3), keepdim=True)))
        y2 = _chain(self.up2, torch.cat([_double(x3), x2], 1))
        y1 = _chain(self.up1, torch.cat([_double(y2), x1], 1))
        y0 = _chain(self.up0, torch.cat([_double(y1), x0], 1))
        return self.out(y0)

    def _styled(self, x: Tensor) -> Tensor:
        return mix_style(x) if self.training else x


def _chain(blocks: nn.ModuleList, x: Tensor) -> Tensor:
    for block in blocks:
        x = block(x)
    return x


def _double(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)


def opponent_matrix() -> np.ndarray:
    """RGB to lightness and two opponent axes, float32 [3,3]."""
    return np.array([[0.3, 0.59, 0.11], [0.7, -0.7, 0.0], [0.35, 0.35, -0.7]], np.float32)


def place_grid(side: int) -> np.ndarray:
    """float32 [1,3,side,side]: x, y and distance from the middle, -1..1."""
    axis = (np.arange(side, dtype=np.float32) + 0.5) / side * 2 - 1
    y, x = np.meshgrid(axis, axis, indexing="ij")
    return np.stack([x, y, np.sqrt(x**2 + y**2) - 0.7])[None].astype(np.float32)


def border_index(side: int, skip_bottom: bool) -> np.ndarray:
    """Flat indices of the outermost cells of the grid."""
    y, x = np.mgrid[0:side, 0:side]
    rim = (x == 0) | (x == side - 1) | (y == 0) | (y == side - 1)
    if skip_bottom:
        rim &= y < side * 0.6
    return np.flatnonzero(rim.ravel())


def border_features(image: Tensor) -> Tensor:
    """Distance of each cell's colour to the nearest border cell, with and without nearness in space.

    A learned form of the boundary prior of salient-object detection (Wei et al. 2012,
    Zhu et al. 2014): what resembles the rim of a picture is rarely its subject.
    """
    cells = F.avg_pool2d(image, 4)
    side = cells.shape[-1]
    colour = torch.einsum("oc,nchw->nohw", torch.from_numpy(opponent_matrix()), cells)
    place = torch.from_numpy(place_grid(side)).expand(len(image), -1, -1, -1)
    maps = []
    for colour_weight, place_weight, skip in STRETCH:
        traits = torch.cat([colour * colour_weight, place[:, :2] * place_weight], 1).flatten(2)
        rim = traits[:, :, torch.from_numpy(border_index(side, bool(skip)))]
        square = (traits**2).sum(1)[:, :, None] + (rim**2).sum(1)[:, None, :]
        distance = (square - 2 * traits.transpose(1, 2) @ rim).clamp(min=0)
        nearest = distance.min(2).values
        maps.append((torch.sqrt(nearest + 1e-4) * 0.5).view(len(image), 1, side, side))
    return torch.cat([*maps, place], 1)

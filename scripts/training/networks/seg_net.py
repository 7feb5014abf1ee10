"""The subject network: a small U-Net that also sees how different a place is from the picture's border."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from networks.seg_style import beside, mix_style

GRID = 40
"""Side of the grid on which cues are computed (a quarter of the network's input)."""
STRETCH = ((12.0, 0.0, 0.0), (12.0, 3.0, 0.0), (12.0, 3.0, 1.0))
"""Rows: weight of color, weight of position, 1 = without the lower border (people stand there)."""
WAYS = 5
"""Barriers on the straight way to each border, and the least of them."""
FEATURES = len(STRETCH) + 3 + WAYS
ALIKE = (14.0, 1.5)
"""Weight of color and of position in the kernel by which places are alike."""
Channels = tuple[int, int, int, int, int, int]
NARROW: Channels = (12, 40, 72, 96, 60, 16)
"""Channels of the four scales on the way down, then of two on the way up."""
WIDE: Channels = (16, 56, 96, 128, 80, 24)
BLIND_SHARE = 0.15
"""Pictures of which the network sees the cues alone while it learns: they hold in photographs too."""


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
    """float32 [N,3,4G,4G] 0..1 to logits [N,2,2G,2G]: subject, skin. G is a multiple of 4.

    A first opinion on the grid determines the colors of the subject and of the rest in this picture. Before
    the last layers, each place is compared with both.
    """

    def __init__(self, channels: Channels) -> None:
        super().__init__()
        c0, c1, c2, c3, d2, d0 = channels
        self.stem = nn.ModuleList([Block(3, c0, 2), Block(c0, c0)])
        self.down1 = nn.ModuleList([Block(c0, c1, 2), Block(c1 + FEATURES, c1), Block(c1, c1)])
        self.down2 = nn.ModuleList([Block(c1, c2, 2), Block(c2, c2), Block(c2, c2)])
        self.down3 = nn.ModuleList([Block(c2, c3, 2), Block(c3, c3), Block(c3, c3)])
        self.everywhere = nn.Conv2d(c3, c3, 1)
        self.up2 = nn.ModuleList([Block(c3 + c2, d2, kernel=1), Block(d2, d2)])
        self.up1 = nn.ModuleList([Block(d2 + c1, c1, kernel=1), Block(c1, c1)])
        self.opinion = nn.Conv2d(c1, 1, 1)
        self.again = nn.Conv2d(c1 + 2, c1, 3, padding=1)
        nn.init.zeros_(self.again.weight)
        nn.init.zeros_(self.again.bias)
        self.up0 = nn.ModuleList([Block(c1 + c0, d0, kernel=1), Block(d0, d0)])
        self.out = nn.Conv2d(d0, 2, 3, padding=1)

    def forward(self, image: Tensor) -> Tensor:
        return self.opinions(image)[1]

    def opinions(self, image: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the first opinion [N,1,G,G] and of the last."""
        seeing = self._seeing(image)
        x0 = self._styled(_chain(self.stem, image * 4 - 2)) * seeing
        x1 = self._styled(self.down1[0](x0)) * seeing
        x1 = _chain(self.down1[1:], torch.cat([x1, cues(image)], 1))
        x2 = _chain(self.down2, x1)
        x3 = _chain(self.down3, x2)
        x3 = F.relu(x3 + self.everywhere(x3.mean((2, 3), keepdim=True)))
        y2 = _chain(self.up2, torch.cat([_double(x3), x2], 1))
        y1 = _chain(self.up1, torch.cat([_double(y2), x1], 1))
        first = self.opinion(y1)
        side = belonging(image, torch.sigmoid(first.detach()))
        y1 = F.relu(y1 + self.again(torch.cat([y1, first.detach() * 0.25, side], 1)))
        y0 = _chain(self.up0, torch.cat([_double(y1), x0], 1))
        return first, self.out(y0)

    def _styled(self, x: Tensor) -> Tensor:
        return mix_style(x) if self.training else x

    def _seeing(self, image: Tensor) -> Tensor:
        if not self.training:
            return torch.ones((), device=image.device)
        return beside(image, (torch.rand(len(image), 1, 1, 1) >= BLIND_SHARE).float())


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
    """float32 [1,3,side,side]: x, y, and distance from the center, -1..1."""
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


@lru_cache
def _opponent_axes(device: torch.device) -> Tensor:
    return torch.from_numpy(opponent_matrix()).to(device)


@lru_cache
def _place(side: int, device: torch.device) -> Tensor:
    return torch.from_numpy(place_grid(side)).to(device)


@lru_cache
def _border(side: int, skip_bottom: bool, device: torch.device) -> Tensor:
    return torch.from_numpy(border_index(side, skip_bottom)).to(device)


def cues(image: Tensor) -> Tensor:
    """Cues that distinguish a place regardless of what it shows: float32 [N,FEATURES,G,G]."""
    color = _opponents(image)
    side = color.shape[-1]
    place = _place(side, image.device).expand(len(image), -1, -1, -1)
    return torch.cat([*_border_distances(color, place), place, straight_ways(color)], 1)


def _opponents(image: Tensor) -> Tensor:
    return torch.einsum("oc,nchw->nohw", _opponent_axes(image.device), F.avg_pool2d(image, 4))


def _border_distances(color: Tensor, place: Tensor) -> list[Tensor]:
    """Distance of each cell's color to the nearest border cell, with and without spatial distance.

    A learned form of the boundary prior of salient-object detection (Wei et al. 2012, Zhu et al. 2014):
    places that resemble the border of a picture are rarely its subject.
    """
    side = color.shape[-1]
    maps = []
    for color_weight, place_weight, skip in STRETCH:
        traits = torch.cat([color * color_weight, place[:, :2] * place_weight], 1).flatten(2)
        rim = traits[:, :, _border(side, bool(skip), color.device)]
        nearest = _squares(traits, rim).min(2).values
        maps.append((torch.sqrt(nearest + 1e-4) * 0.5).view(len(color), 1, side, side))
    return maps


def _squares(own: Tensor, other: Tensor) -> Tensor:
    """Squared distances [N,K,M] between traits [N,C,K] and [N,C,M]."""
    square = (own**2).sum(1)[:, :, None] + (other**2).sum(1)[:, None, :]
    return (square - 2 * own.transpose(1, 2) @ other).clamp(min=0)


def straight_ways(color: Tensor) -> Tensor:
    """The change of color on the straight path to each border, and the smallest of those [N,5,G,G].

    The barrier distance of Strand et al. 2013 (for saliency: Zhang et al. 2015), only along straight paths,
    which a running maximum computes in one pass.
    """
    ways = []
    for axis in (2, 3):
        for turned in (color, color.flip(axis)):
            highest = turned.cummax(axis).values
            span = (highest + (-turned).cummax(axis).values).sum(1, keepdim=True)
            ways.append(span if turned is color else span.flip(axis))
    found = torch.cat(ways, 1)
    return torch.cat([found, found.amin(1, keepdim=True)], 1)


def belonging(image: Tensor, chance: Tensor) -> Tensor:
    """Whether a cell is more similar to the subject found so far or to the rest: log ratio [N,1,G,G], -4..4.

    Densities of color and position with a kernel over the cells of half the grid: the color models of Rother
    et al. 2004 (GrabCut) without their mixtures. `chance` [N,1,G,G] 0..1.
    """
    color = _opponents(image)
    side = color.shape[-1]
    place = _place(side, image.device)[:, :2].expand(len(image), -1, -1, -1)
    traits = torch.cat([color * ALIKE[0], place * ALIKE[1]], 1)
    alike = torch.exp(-0.5 * _squares(traits.flatten(2), F.avg_pool2d(traits, 2).flatten(2)))
    inside = F.avg_pool2d(chance, 2).flatten(2).transpose(1, 2)
    within, without = (alike @ w / (w.sum(1, keepdim=True) + 1e-3) for w in (inside, 1 - inside))
    ratio = torch.log((within + 1e-3) / (without + 1e-3)).clamp(-4, 4)
    return ratio.transpose(1, 2).reshape(len(image), 1, side, side)

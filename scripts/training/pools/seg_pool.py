"""Drawn scenes with their mattes: any subject of a pool in front of any backdrop of a pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import torch
from PIL import Image
from scipy.ndimage import gaussian_filter

from drawing.backdrops import Backdrops
from drawing.blanks import Blanks
from drawing.creatures import animal, flower, heap, thing
from drawing.cutout import Cutout
from drawing.machines import machine
from drawing.people import figure, portrait
from drawing.relight import occluder, relit
from drawing.suits import suited
from drawing.surface import Surfaces
from drawing.textures import power_noise, texture_bank
from pools.degrade import jpeg

Rng = np.random.Generator
DRAWN_SIZE = 192
"""Usual side of the drawn subjects and backdrops, in pixels."""
BANK_LIFE = 600
"""Subjects renewed before the textures are drawn anew."""
SCATTERED_SHARE = 0.3
"""Pictures whose subjects are small, anywhere, and perhaps several."""
BLANK_SHARE = 0.12
"""Pictures without a subject: what `no_subject_found` is learnt from."""
KINDS: tuple[tuple[Callable[[Cutout], None], float], ...] = (
    (portrait, 0.19),
    (figure, 0.19),
    (suited, 0.08),
    (animal, 0.19),
    (machine, 0.13),
    (thing, 0.1),
    (heap, 0.08),
    (flower, 0.04),
)


class SegPool:
    """Draws subjects and backdrops, composes them, and keeps drawing new ones."""

    def __init__(
        self,
        rng: Rng,
        subjects: int,
        backdrops: int,
        side: int = DRAWN_SIZE,
        blank_share: float = BLANK_SHARE,
    ) -> None:
        """`side`: size of the drawn subjects and backdrops, in pixels. `blank_share`: fraction of pictures
        without a subject, 0..1.
        """
        self._rng = rng
        self._blank_share = blank_share
        self._side = side
        self._renewed = 0
        self._fresh_textures()
        self._backdrops = [self._painter.draw() for _ in range(backdrops)]
        self._subjects = [self._subject() for _ in range(subjects)]
        self._blanks = Blanks(rng)

    def renew(self) -> None:
        """Replace the oldest subject, and sometimes a backdrop, because the network would memorize a fixed
        pool.
        """
        if self._renewed % BANK_LIFE == BANK_LIFE - 1:
            self._fresh_textures()
        self._subjects[self._renewed % len(self._subjects)] = self._subject()
        if self._renewed % 3 == 0:
            self._backdrops[self._renewed // 3 % len(self._backdrops)] = self._painter.draw()
        self._renewed += 1

    def _fresh_textures(self) -> None:
        textures = texture_bank(self._rng, 80, 512)
        self._surfaces = Surfaces(self._rng, textures)
        self._painter = Backdrops(self._rng, textures, self._side)

    def _subject(self) -> tuple[Image.Image, Image.Image]:
        kinds, shares = zip(*KINDS, strict=True)
        cutout = Cutout(self._rng, self._surfaces, self._side)
        kinds[self._rng.choice(len(kinds), p=shares)](cutout)
        rgba, skin = cutout.small()
        return Image.fromarray(rgba, "RGBA"), Image.fromarray(skin, "L")

    def batch(self, count: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """float32 images [count,3,size,size] 0..1 and truths [count,2,size,size]: matte, skin."""
        scenes = [self._scene(size) for _ in range(count)]
        images, truths = (np.stack(side).transpose(0, 3, 1, 2) for side in zip(*scenes, strict=True))
        return tuple(torch.from_numpy(np.ascontiguousarray(x, np.float32)) for x in (images, truths))

    def _scene(self, size: int) -> tuple[np.ndarray, np.ndarray]:
        rng = self._rng
        truth = np.zeros((size, size, 2), np.float32)
        if rng.random() < self._blank_share:
            return photograph(rng, self._blanks.draw(size)), truth
        image = self._backdrop(size)
        if rng.random() < 0.3:
            image = self._joined(image, self._backdrop(size))
        for color, alpha, skin in self._cast(size):
            color = relit(rng, color, alpha, image)
            if rng.random() < 0.12:
                seen = 1 - occluder(rng, alpha)
                alpha, skin = alpha * seen, skin * seen
            image = self._shadow(image, alpha)
            image = image + alpha[..., None] * (color - image)
            truth[..., 0] = np.maximum(truth[..., 0], alpha)
            truth[..., 1] = np.maximum(truth[..., 1] * (1 - alpha), skin)
        return photograph(rng, image), truth

    def _backdrop(self, size: int) -> np.ndarray:
        rng = self._rng
        picked = Image.fromarray(self._backdrops[rng.integers(len(self._backdrops))])
        side = rng.uniform(0.5, 1.0) * self._side
        left, top = rng.uniform(0, self._side - side, 2)
        cut = picked.resize((size, size), Image.Resampling.BILINEAR, (left, top, left + side, top + side))
        image = np.asarray(cut, np.float32) / 255
        return image[:, ::-1] if rng.random() < 0.5 else image

    def _joined(self, upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
        """Two backdrops, joined along a rough, mostly horizontal line."""
        rng, size = self._rng, len(upper)
        y, x = np.mgrid[0:size, 0:size] / size - 0.5
        line = y + x * rng.normal(0, 0.3) + 0.1 * rng.random() * power_noise(rng, size, rng.uniform(1, 2))
        share = np.clip((line - rng.normal(0.15, 0.2)) * np.exp(rng.uniform(1, 5)) + 0.5, 0, 1)
        return upper + share[..., None] * (lower - upper)

    def _cast(self, size: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """One or two subjects in the center, or a few small ones anywhere: (color, alpha, skin) of each."""
        rng = self._rng
        if rng.random() >= SCATTERED_SHARE:
            for _ in range(1 + (rng.random() < 0.2)):
                foot = (0.5 + rng.normal(0, 0.06), 1 + abs(rng.normal(0, 0.05)))
                yield self._placed(size, self._pick(), np.exp(rng.uniform(-0.45, 0.45)), foot)
            return
        scale, kind, is_herd = np.exp(rng.uniform(-1.4, -0.2)), self._pick(), rng.random() < 0.6
        for _ in range(1 + rng.choice(4, p=[0.5, 0.25, 0.15, 0.1])):
            foot = (rng.uniform(0.1, 0.9), rng.uniform(0.3, 1) ** 0.6 + 0.05)
            yield self._placed(size, kind, scale * np.exp(rng.normal(0, 0.15)), foot)
            kind = kind if is_herd else self._pick()

    def _pick(self) -> tuple[Image.Image, Image.Image]:
        return self._subjects[self._rng.integers(len(self._subjects))]

    def _placed(
        self, size: int, subject: tuple[Image.Image, Image.Image], scale: float, foot: tuple[float, float]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Scales a subject, moves the center of its lower border to `foot` (x, y of the frame), and may
        mirror it.
        """
        rng, side = self._rng, self._side
        zoom = side / size / scale
        dx, dy = side / 2 - zoom * size * foot[0], side - zoom * size * foot[1]
        zoom_x = zoom
        if rng.random() < 0.5:
            zoom_x, dx = -zoom, side - dx
        shrunk = max(1, round(zoom / 1.5))
        warp = np.array([zoom_x, rng.normal(0, 0.05), dx, rng.normal(0, 0.03), zoom, dy]) / shrunk
        pixels, moved_skin = (
            np.asarray(
                picture.reduce(shrunk).transform(
                    (size, size), Image.Transform.AFFINE, tuple(warp), Image.Resampling.BILINEAR
                ),
                np.float32,
            )
            / 255
            for picture in subject
        )
        lit = np.clip(pixels[..., :3] * np.exp(rng.normal(0, 0.2)), 0, 1)
        return lit, pixels[..., 3], moved_skin

    def _shadow(self, image: np.ndarray, alpha: np.ndarray) -> np.ndarray:
        rng = self._rng
        if rng.random() < 0.5:
            return image
        cast = gaussian_filter(alpha, rng.uniform(1, 8))
        cast = np.roll(cast, tuple(rng.integers(-8, 9, 2)), (0, 1))
        return image * (1 - rng.uniform(0.1, 0.6) * cast[..., None])


def photograph(rng: Rng, image: np.ndarray) -> np.ndarray:
    """Effects of the world and the camera: muted color, uneven light, curve, cast, blur, noise, JPEG."""
    shot = np.clip(image, 0, 1) ** np.exp(rng.normal(0, 0.3)) * np.exp(rng.normal(0, 0.07, 3))
    gray = shot.mean(2, keepdims=True)
    shot = gray + (shot - gray) * rng.choice([0.0, 1.0, rng.uniform(0.2, 0.9)], p=[0.08, 0.3, 0.62])
    if rng.random() < 0.5:
        uneven = power_noise(rng, shot.shape[0], rng.uniform(0.7, 1.8))
        shot = shot * (1 + rng.uniform(0.05, 0.4) * uneven[..., None])
    if rng.random() < 0.5:
        sigma = float(rng.uniform(0.3, 1.2))
        shot = gaussian_filter(shot, (sigma, sigma, 0))
    shot = shot + rng.normal(0, rng.uniform(0, 0.03), shot.shape)
    pixels = (np.clip(shot, 0, 1) * 255 + 0.5).astype(np.uint8)
    if rng.random() < 0.3:
        pixels = jpeg(pixels, int(rng.integers(40, 95)))
    return pixels.astype(np.float32) / 255

"""The host in Python: tiles with a halo from an edge-replicated image, and analysis of a resized copy."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from PIL import Image

Feed = dict[str, np.ndarray]


@dataclass(frozen=True)
class Level:
    """One level of a model, with its graphs loaded."""

    strength: float
    render: ort.InferenceSession
    stage: dict[str, Any]
    analyse: ort.InferenceSession | None
    size: int


def open_session(path: Path, threads: int = 1) -> ort.InferenceSession:
    """A CPU session without spinning threads."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def load_level(folder: Path, name: str, threads: int = 1, *, half: bool = False) -> Level:
    """Open a level of models/<operation>/<version>. `half`: use half-precision files where available."""

    def graph(stage: dict[str, Any]) -> ort.InferenceSession:
        file = stage.get("fp16", stage)["file"] if half else stage["file"]
        return open_session(folder / file, threads)

    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    level, stages = manifest["levels"][name], manifest["stages"]
    stage, analyse = stages[level["render"]], stages.get(level.get("analyse"))
    return Level(
        level["strength"],
        graph(stage),
        stage,
        graph(analyse) if analyse else None,
        analyse["size"] if analyse else 0,
    )


def run_analyse(level: Level, image: np.ndarray) -> Feed:
    """Outputs of the analyze stage for uint8 [H,W,3|4]."""
    if level.analyse is None:
        return {}
    small = squash(image, level.size)
    names = [o.name for o in level.analyse.get_outputs()]
    return dict(zip(names, level.analyse.run(None, {"image": small[None]}), strict=True))


def squash(image: np.ndarray, size: int) -> np.ndarray:
    """uint8 [size,size,3]: alpha flattened on middle gray, aspect ratio ignored, area-like filter."""
    rgb = image[..., :3].astype(np.float32)
    if image.shape[2] == 4:
        alpha = image[..., 3:].astype(np.float32) / 255
        rgb = rgb * alpha + 128 * (1 - alpha)
    whole = Image.fromarray((rgb + 0.5).astype(np.uint8))
    smaller = image.shape[0] >= size and image.shape[1] >= size
    kind = Image.Resampling.BOX if smaller else Image.Resampling.BILINEAR
    return np.asarray(whole.resize((size, size), kind))


def cut(image: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    """A window of the image, extended beyond its border by replication."""
    rows = np.clip(np.arange(top, top + height), 0, image.shape[0] - 1)
    columns = np.clip(np.arange(left, left + width), 0, image.shape[1] - 1)
    return image[rows[:, None], columns[None, :]]


def feed(
    session: ort.InferenceSession, tiles: np.ndarray, windows: np.ndarray, strength: float, maps: Feed
) -> Feed:
    """Only the inputs that the graph declares."""
    count = len(tiles)
    offered = {"image": tiles, "window": windows, "strength": np.full(count, strength, np.float32)}
    offered |= {name: np.repeat(value, count, 0) for name, value in maps.items()}
    return {i.name: offered[i.name] for i in session.get_inputs()}


def render_part(level: Level, image: np.ndarray, maps: Feed, box: tuple[int, int, int, int]) -> np.ndarray:
    """Render rows and columns [top,left,height,width] with the stage's halo, and remove the halo."""
    top, left, height, width = box
    halo, scale = level.stage["halo"], level.stage["scale"]
    y, x = top - halo, left - halo
    high, wide = height + 2 * halo, width + 2 * halo
    window = np.array(
        [[y / image.shape[0], x / image.shape[1], (y + high) / image.shape[0], (x + wide) / image.shape[1]]],
        np.float32,
    )
    tile = cut(image, y, x, high, wide)[None]
    result = level.render.run(None, feed(level.render, tile, window, level.strength, maps))[0][0]
    edge = halo * scale
    return result[edge : edge + height * scale, edge : edge + width * scale]


def render_tiled(level: Level, image: np.ndarray, maps: Feed) -> np.ndarray:
    """The whole image in equal tiles, like the service."""
    tile, scale = level.stage["tile"], level.stage["scale"]
    height, width = image.shape[:2]
    rows = []
    for top in range(0, height, tile):
        parts = [render_part(level, image, maps, (top, left, tile, tile)) for left in range(0, width, tile)]
        rows.append(np.concatenate(parts, 1))
    return np.concatenate(rows, 0)[: height * scale, : width * scale]


def enhance(level: Level, image: np.ndarray) -> np.ndarray:
    """Analyse and render uint8 [H,W,3|4]."""
    return render_tiled(level, image, run_analyse(level, image))

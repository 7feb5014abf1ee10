"""Check models against the contract: python verify.py [FOLDER…]; exit status 1 when one fails."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from measuring.tiling import Level, enhance, feed, load_level, render_part, render_tiled, run_analyse
from package import MODELS

MAX_OPSET = 21
MAX_BYTES = 6_000_000
HEAD_KEYS = (
    "name",
    "operation",
    "description",
    "engine",
    "license",
    "source",
    "trainedOn",
    "stages",
    "levels",
)
HALF_ERROR = (0.05, 3)
"""Of 255: mean and largest difference between precisions on a drawn picture."""
RENDER_INPUTS = {"image", "strength", "window"}


def check_files(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Errors of the manifest and the files."""
    yield from (f"manifest lacks {key}" for key in HEAD_KEYS if key not in manifest)
    yield from (f"{name} is missing" for name in ("LICENSE", "README.md") if not (folder / name).exists())
    for name, stage in manifest["stages"].items():
        for entry in [stage, *([stage["fp16"]] if "fp16" in stage else [])]:
            yield from check_file(f"{name}, {entry['file']}", folder / entry["file"], entry["sha256"])


def check_file(label: str, path: Path, sha256: str) -> Iterator[str]:
    """Hash, size and operators of one graph."""
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        yield f"{label}: sha256 differs"
    if len(data) > MAX_BYTES:
        yield f"{label}: {len(data)} bytes"
    model = onnx.load_from_string(data)
    onnx.checker.check_model(model, full_check=True)
    if model.opset_import[0].version > MAX_OPSET:
        yield f"{label}: opset {model.opset_import[0].version}"


def check_level(level: Level, name: str) -> Iterator[str]:
    """Checks shapes, batches, and finite maps, and that the outputs of analyze cover the inputs of render."""
    rng = np.random.default_rng(0)
    declared = {i.name for i in level.render.get_inputs()}
    for channels in (3, 4):
        image = rng.integers(0, 256, (90, 70, channels), np.uint8)
        maps = run_analyse(level, image)
        if not all(np.isfinite(m).all() and m.dtype == np.float32 for m in maps.values()):
            yield f"{name}: analyse gives values that are not finite float32"
        if missing := declared - RENDER_INPUTS - maps.keys():
            yield f"{name}: nobody feeds {missing}"
        edge = level.stage["tile"] + 2 * level.stage["halo"]
        scale = level.stage["scale"]
        wanted = 4 if level.stage.get("alpha") == "produce" else channels
        for count in (1, 2, 3):
            tiles = rng.integers(0, 256, (count, edge, edge, channels), np.uint8)
            windows = np.tile(np.array([[-0.1, 0, 0.7, 1.2]], np.float32), (count, 1))
            result = level.render.run(None, feed(level.render, tiles, windows, level.strength, maps))[0]
            if result.shape != (count, edge * scale, edge * scale, wanted) or result.dtype != np.uint8:
                yield f"{name}: {tiles.shape} gives {result.dtype} {result.shape}"


def check_batch(level: Level, name: str) -> Iterator[str]:
    """Checks that a batch gives each item the same result as alone."""
    if level.analyse is None:
        return
    images = np.random.default_rng(1).integers(0, 256, (3, level.size, level.size, 3), np.uint8)
    together = level.analyse.run(None, {"image": images})
    for i in range(3):
        alone = level.analyse.run(None, {"image": images[i : i + 1]})
        worst = max(float(np.abs(a[i] - b[0]).max()) for a, b in zip(together, alone, strict=True))
        if worst > 1e-3:
            yield f"{name}: analyse of a batch differs by {worst:.2g}"


def check_seams(level: Level, name: str) -> Iterator[str]:
    """Checks that tiled results equal untiled ones within one step, at unusual sizes."""
    tile = level.stage["tile"]
    for height, width in ((1, 1), (17, 3), (97, 131), (tile + 1, tile + 1), (2 * tile + 5, tile - 1)):
        image = scene(height, width)
        maps = run_analyse(level, image)
        tiled = render_tiled(level, image, maps).astype(int)
        pad = 8 * -(-max(height, width) // 8)  # bases on downscaled tiles need whole cells
        whole = render_part(level, image, maps, (0, 0, pad, pad))
        scale = level.stage["scale"]
        worst = int(np.abs(tiled - whole[: height * scale, : width * scale]).max())
        if worst > 1:
            yield f"{name}: {height}×{width} tiled differs from untiled by {worst}"


def check_half(folder: Path, manifest: dict[str, Any], name: str) -> Iterator[str]:
    """Checks half precision against single precision, within HALF_ERROR. Prints the difference."""
    used = [manifest["levels"][name].get(kind) for kind in ("analyse", "render")]
    if not any("fp16" in manifest["stages"][stage] for stage in used if stage):
        return
    image = scene(300, 260)[..., :3]
    single, half = (enhance(load_level(folder, name, half=h), image).astype(int) for h in (False, True))
    difference = np.abs(single - half)
    mean, worst = float(difference.mean()), int(difference.max())
    print(
        f"{folder.parent.name}/{folder.name} {name}: fp16 differs by {worst} at most, {mean:.4f} on average"
    )
    if mean > HALF_ERROR[0] or worst > HALF_ERROR[1]:
        yield f"{name}: fp16 differs by {worst}, {mean:.3f} on average"


def scene(height: int, width: int) -> np.ndarray:
    """Drawn RGBA with edges, ramps, skin-like tones and noise."""
    rng = np.random.default_rng(height * 1000 + width)
    y, x = np.mgrid[0:height, 0:width]
    waves = np.stack([np.sin(x / 5.0), np.sin(y / 7.0), np.sin((x + y) / 11.0), np.sin(x * y / 900.0)], 2)
    tones = np.array([200, 150, 120, 180]) + waves * 45 + rng.normal(0, 8, (height, width, 4))
    return np.clip(tones, 0, 255).astype(np.uint8)


def time_level(level: Level, edge: int = 768) -> tuple[float, float]:
    """Milliseconds for the analysis of one image, and for rendering one megapixel (with the tiles of the
    service).
    """
    image = scene(edge, edge)[..., :3]
    maps = run_analyse(level, image)
    begun = time.perf_counter()
    run_analyse(level, image)
    middle = time.perf_counter()
    render_tiled(level, image, maps)
    return (middle - begun) * 1e3, (time.perf_counter() - middle) * 1e9 / edge**2


def verify(folder: Path, threads: int) -> list[str]:
    """Print the timings of each level. Returns the errors."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    faults = list(check_files(folder, manifest))
    label = f"{folder.parent.name}/{folder.name}"
    for name in manifest["levels"]:
        level = load_level(folder, name, threads)
        for check in (check_level, check_batch, check_seams):
            faults += check(level, name)
        faults += check_half(folder, manifest, name)
        enhance(level, scene(33, 65))
        analyse_ms, render_ms = time_level(level)
        print(
            f"{label} {name}: analyse {analyse_ms:.0f} ms, render {render_ms:.0f} ms/MP, {threads} thread(s)",
            flush=True,
        )
    print(f"{label}: {'; '.join(faults) or 'ok'}", flush=True)
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    folders = args.folders or sorted(p.parent for p in MODELS.glob("*/*/manifest.json"))
    sys.exit(any([verify(folder, args.threads) for folder in folders]))


if __name__ == "__main__":
    main()

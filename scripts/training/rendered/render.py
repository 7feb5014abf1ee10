"""Render scenes with their mattes: python render.py --out DIR [--bodies DIR] [--first N] [--count N].

Scene N is `N.jpg`, its true alpha is `N.png`, and both depend on N alone. Scenes that exist are skipped, so
the same command continues after a stop.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import bpy
import numpy as np
from PIL import Image

from catalog import PLACES, Catalog
from photo.camera import shoot
from photo.develop import developed
from places.setting import Setting
from stage import Stage
from subjects.bodies import BaseMesh
from subjects.people import People

SEED = 20260
SAMPLES = 4
"""Light paths a pixel; the denoiser does the rest."""
MATTE_SAMPLES = 12
BLANK_SHARE = 0.07
"""Places without a subject."""
GROUP_SHARE = 0.14
"""Pictures with several subjects of one kind."""
warnings.filterwarnings("ignore", category=DeprecationWarning)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--bodies", type=Path, help="makehuman/data; without it, no people")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--side", type=int, default=256, help="longer side in pixels")
    args = parser.parse_args()
    os.nice(19)
    args.out.mkdir(parents=True, exist_ok=True)
    catalog = Catalog(People(BaseMesh(args.bodies)) if args.bodies else None)
    for number in range(args.first, args.first + args.count):
        if (args.out / f"{number}.png").exists():
            continue
        begun = time.process_time()
        picture, matte, label = rendered(number, catalog, args.side)
        quality = int(np.random.default_rng((SEED, number, 1)).integers(55, 96))
        Image.fromarray(picture).save(args.out / f"{number}.jpg", quality=quality)
        half_written = args.out / f"{number}.png.new"
        Image.fromarray(matte).save(half_written, format="PNG", optimize=True)
        half_written.replace(args.out / f"{number}.png")
        print(f"{number} {label} {time.process_time() - begun:.1f} s", flush=True)


def rendered(number: int, catalog: Catalog, side: int) -> tuple[np.ndarray, np.ndarray, str]:
    """Picture uint8 [H,W,3], matte uint8 [H,W], and a description of the scene."""
    rng = np.random.default_rng((SEED, number))
    stage = Stage()
    kind, build = catalog.subject(rng)
    subject = stage.group(build, rng)
    _stand(rng, stage, subject, kind)
    if rng.random() < GROUP_SHARE:
        size = np.ptp(stage.corners(subject), axis=0)
        for k in range(1, 1 + rng.integers(1, 3)):
            other = stage.group(build, rng)
            _stand(rng, stage, other, kind)
            stage.put(
                other,
                (size[0] * k * rng.uniform(0.7, 1.2) * rng.choice([-1, 1]), size[1] * rng.normal(0, 0.4), 0),
            )
            subject = subject + other
    is_blank = rng.random() < BLANK_SHARE
    size = float(np.ptp(stage.corners(subject), axis=0).max())
    places, shares = zip(*PLACES, strict=True)
    place = places[rng.choice(len(places), p=shares)]
    setting = Setting(rng, stage, size, lambda family: catalog.clutter(rng, family, place.__name__))
    height = place(setting)
    stage.put(subject, (0, 0, height))
    closer = bool(rng.random() < {"person": 0.35}.get(kind, 0.05))
    shoot(rng, stage, stage.corners(subject), side, closer=closer)
    for made in subject:
        made.hide_render = is_blank
    light, alpha = _passes(stage, [] if is_blank else subject)
    label = f"{build.__name__} {place.__name__}{' blank' if is_blank else ''}"
    return developed(rng, light, alpha), (np.clip(alpha, 0, 1) * 255 + 0.5).astype(np.uint8), label


def _stand(rng: np.random.Generator, stage: Stage, objects: list[bpy.types.Object], kind: str) -> None:
    """Rotates the subject and puts its lowest point on the ground."""
    # People face the camera. Objects along X are seen from the side, diagonally, or from the front.
    yaw = (
        rng.normal(0, 0.6)
        if kind in ("person", "small")
        else rng.choice([0, 0.8, 1.57, 2.3, 3.14]) + rng.normal(0, 0.25)
    )
    stage.put(objects, (0, 0, 0), yaw)
    low = float(stage.corners(objects)[:, 2].min())
    stage.put(objects, (0, 0, -min(low, 0) if kind != "person" else -low))


def _passes(stage: Stage, subject: list[bpy.types.Object]) -> tuple[np.ndarray, np.ndarray]:
    """Linear light [H,W,3] of the scene and alpha [H,W] of the subject without its occluded parts."""
    scene = stage.scene
    render, cycles = scene.render, scene.cycles
    render.engine, cycles.device = "CYCLES", "CPU"
    render.threads_mode, render.threads = "FIXED", 1
    render.use_persistent_data = True
    render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "32"
    cycles.use_adaptive_sampling, cycles.use_denoising = False, True
    cycles.denoiser, cycles.denoising_input_passes = "OPENIMAGEDENOISE", "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter = "FAST"
    cycles.samples, cycles.max_bounces = SAMPLES, 6
    cycles.diffuse_bounces, cycles.glossy_bounces, cycles.transmission_bounces = 2, 2, 6
    cycles.sample_clamp_indirect = 4.0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    with TemporaryDirectory() as folder:
        light = _shot(scene, Path(folder) / "light.exr")[..., :3]
        if not subject:
            return light, np.zeros(light.shape[:2], np.float32)
        _mask(stage, subject)
        render.film_transparent, render.image_settings.color_mode = True, "RGBA"
        cycles.use_denoising, cycles.samples, cycles.max_bounces = False, MATTE_SAMPLES, 0
        return light, _shot(scene, Path(folder) / "matte.exr")[..., 3]


def _mask(stage: Stage, subject: list[bpy.types.Object]) -> None:
    """Renders without light. Other objects cut holes into the subject. Only transparent materials are
    replaced.
    """
    chosen = set(subject)
    stage.scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0
    for made in stage.objects:
        made.hide_render = made.type == "LIGHT"
        made.is_holdout = made not in chosen
        if made in chosen:
            for index, material in enumerate(list(made.data.materials)):
                if material.get("opacity", 1.0) < 1:
                    made.data.materials[index] = _glow(material["opacity"])


def _glow(opacity: float) -> bpy.types.Material:
    """An emissive material with this alpha."""
    material = bpy.data.materials.new("glow")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    emission, clear, mix, out = (
        nodes.new(f"ShaderNode{n}") for n in ("Emission", "BsdfTransparent", "MixShader", "OutputMaterial")
    )
    mix.inputs[0].default_value = opacity
    links.new(clear.outputs[0], mix.inputs[1])
    links.new(emission.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], out.inputs["Surface"])
    return material


def _shot(scene: bpy.types.Scene, path: Path) -> np.ndarray:
    """float32 [H,W,4]."""
    scene.render.filepath = str(path)
    with _quiet():
        bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    pixels = np.empty(image.size[0] * image.size[1] * 4, np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(image.size[1], image.size[0], 4)[::-1]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Blender writes directly to the file descriptor."""
    sys.stdout.flush()
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)


if __name__ == "__main__":
    main()

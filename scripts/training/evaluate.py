"""Measure models on photographs: python evaluate.py --data DIR [--operation NAME…] [--limit N].

The photographs only measure; nothing is trained or tuned on them.
"""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms

from drawing.blanks import Blanks
from measuring.measures import best_f, iou, luma_psnr, psnr
from measuring.tiling import Level, enhance, load_level, run_analyse
from package import version_folder
from pools.degrade import jpeg
from pools.resample import bicubic

LEVELS = ("low", "medium", "high")


def read(path: Path, mode: str = "RGB") -> np.ndarray:
    """uint8 pixels, converted to sRGB as in the service if the file has a profile."""
    image = Image.open(path)
    profile, image = image.info.get("icc_profile"), image.convert(mode)
    if profile and mode == "RGB":
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        image = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"))
    return np.asarray(image)


def auto_levels(image: np.ndarray) -> np.ndarray:
    """Stretches each channel between its 1st and 99th percentiles."""
    low, high = np.percentile(image, [1, 99], (0, 1))
    return np.clip((image - low) * 255 / np.maximum(high - low, 1), 0, 255).round()


def files(folder: Path, limit: int) -> list[Path]:
    """The first `limit` files, sorted."""
    return sorted(p for p in folder.iterdir() if p.is_file())[:limit]


def partner(folder: Path, path: Path) -> Path:
    """The file with the same stem in another folder."""
    return next(p for p in folder.iterdir() if p.stem == path.stem)


def upscale(data: Path, limit: int) -> None:
    """Y-PSNR of the model and of bicubic, without a border of `factor` pixels; for the small picture as it is
    and as JPEG of quality 75.
    """
    for name in LEVELS:
        level = load_level(version_folder("upscale"), name)
        factor = level.stage["scale"]
        for collection in ("Set5", "Set14"):
            folder = data / "sr" / collection / f"x{factor}"
            pairs = list(zip(files(folder / "LR", limit), files(folder / "HR", limit), strict=True))
            for damage in ("", " JPEG-75"):
                scores = []
                for low_path, high_path in pairs:
                    low = read(low_path)
                    scores.append(enlarging(level, jpeg(low, 75) if damage else low, read(high_path)))
                ours, plain = np.mean(scores, 0)
                print(f"upscale {name} x{factor} {collection}{damage}: {ours:.2f} dB, bicubic {plain:.2f} dB")


def enlarging(level: Level, low: np.ndarray, high: np.ndarray) -> tuple[float, float]:
    """Y-PSNR of the model and of bicubic."""
    factor, result = level.stage["scale"], enhance(level, low)
    height, width = (min(a, b) for a, b in zip(high.shape[:2], result.shape[:2], strict=True))
    enlarged = np.clip(np.round(bicubic(low.astype(np.float32), *result.shape[:2])), 0, 255)
    truth = high[:height, :width]
    return (
        luma_psnr(result[:height, :width], truth, factor),
        luma_psnr(enlarged[:height, :width], truth, factor),
    )


def auto_enhance(data: Path, limit: int) -> None:
    """PSNR against a retoucher's version, and the change of good and of dark pictures."""
    folder = data / "enhance" / "fivek"
    for name in LEVELS:
        level = load_level(version_folder("auto_enhance"), name)
        scores, changes = [], []
        for path in files(folder / "input", limit):
            source, target = read(path), read(partner(folder / "target", path))
            resized = Image.fromarray(target).resize(source.shape[1::-1], Image.Resampling.LANCZOS)
            tried = (source, auto_levels(source), enhance(level, source))
            scores.append([psnr(image, np.asarray(resized)) for image in tried])
            changes.append(np.abs(enhance(level, target).astype(int) - target).mean())
        untouched, levels, ours = np.mean(scores, 0)
        others = f"untouched {untouched:.2f} dB, auto-levels {levels:.2f} dB"
        print(f"auto_enhance {name} FiveK: {ours:.2f} dB, {others}")
        print(f"auto_enhance {name} good (the expert's FiveK): mean change {np.mean(changes):.2f} of 255")
        dark = [read(p) for p in files(data / "enhance" / "lowlight", limit)]
        means = [(image.mean(), enhance(level, image).mean()) for image in dark]
        dark_before, dark_after = np.mean(means, 0)
        print(f"auto_enhance {name} dark: mean {dark_before:.0f} to {dark_after:.0f}")


def bg_remove(data: Path, limit: int) -> None:
    """maxF (β²=0.3), IoU at 0.5, and MAE of the matte, with a centered blob as the baseline."""
    for collection in ("SOD", "CCP"):
        folder = data / "seg" / collection
        pairs = [
            (read(p), read(partner(folder / "mask", p), "L") > 127) for p in files(folder / "image", limit)
        ]
        blobs = [center_blob(*truth.shape) for _, truth in pairs]
        report(f"center blob {collection}", blobs, [truth for _, truth in pairs])
        for name in LEVELS:
            level = load_level(version_folder("bg_remove"), name)
            mattes = [enhance(level, image)[..., 3] / 255 for image, _ in pairs]
            report(f"bg_remove {name} {collection}", mattes, [truth for _, truth in pairs])
    for name in LEVELS:
        print(f"bg_remove {name} no subject: {refusals(data, limit, name)}")


def refusals(data: Path, limit: int, name: str) -> str:
    """How many of 100 drawn backgrounds count as subjects, and how many photographs of subjects do not."""
    folder = version_folder("bg_remove")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    rule = manifest["stages"][manifest["levels"][name]["analyse"]].get("noSubject")
    if rule is None:
        return "never said"
    level, blanks = load_level(folder, name), Blanks(np.random.default_rng([3, 2026]))

    def refused(image: np.ndarray) -> bool:
        return float(run_analyse(level, image)[rule["output"]].item()) < rule["below"]

    drawn = [refused((blanks.draw(size) * 255 + 0.5).astype(np.uint8)) for size in [256, 400] * 50]
    parts = [f"{len(drawn) - sum(drawn)} of {len(drawn)} drawn backgrounds accepted"]
    for collection in ("SOD", "CCP"):
        photos = [refused(read(p)) for p in files(data / "seg" / collection / "image", limit)]
        parts.append(f"{collection} {sum(photos)} of {len(photos)} refused")
    return ", ".join(parts)


def center_blob(height: int, width: int) -> np.ndarray:
    """A Gaussian in the center: the baseline that ignores the picture."""
    y, x = np.mgrid[0:height, 0:width]
    return np.exp(-(((y + 0.5) / height - 0.5) ** 2 + ((x + 0.5) / width - 0.5) ** 2) / (2 * 0.2**2))


def report(label: str, mattes: list[np.ndarray], truths: list[np.ndarray]) -> None:
    """One line of the table."""
    errors = [np.abs(m - t).mean() for m, t in zip(mattes, truths, strict=True)]
    overlaps = [iou(m > 0.5, t) for m, t in zip(mattes, truths, strict=True)]
    print(
        f"{label}: maxF {best_f(mattes, truths):.3f}, IoU {np.mean(overlaps):.3f}, MAE {np.mean(errors):.3f}"
    )


def smooth_skin(data: Path, limit: int) -> None:
    """IoU of the skin map with hand-drawn skin. Pixels outside the map must not change."""
    level = load_level(version_folder("smooth_skin"), "high")
    folder = data / "skin" / "CCP" / "mask"
    scores, changed = [], 0
    for path in files(folder, limit):
        image, truth = read(partner(data / "seg" / "CCP" / "image", path)), read(path, "L") > 0
        found = sampled(level, image)
        scores.append((iou(found > 0.5, truth), (found[truth] > 0.5).mean(), truth[found > 0.5].mean()))
        result = enhance(level, image)
        changed += int((result != image)[found == 0].sum())
    overlap, recall, precision = np.nanmean(scores, 0)
    print(f"smooth_skin map CCP: IoU {overlap:.3f}, recall {recall:.3f}, precision {precision:.3f}")
    print(f"smooth_skin high CCP: {changed} values changed where the map is 0")


def sampled(level: Level, image: np.ndarray) -> np.ndarray:
    """The skin map at the size of the image, bilinear."""
    found = run_analyse(level, image)["map"][0, 0]
    return np.asarray(Image.fromarray(found).resize(image.shape[1::-1], Image.Resampling.BILINEAR))


OPERATIONS: dict[str, Callable[[Path, int], None]] = {
    "upscale": upscale,
    "auto_enhance": auto_enhance,
    "bg_remove": bg_remove,
    "smooth_skin": smooth_skin,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--operation", choices=list(OPERATIONS), nargs="*", default=list(OPERATIONS))
    parser.add_argument("--limit", type=int, default=1000, help="at most so many pictures of a set")
    args = parser.parse_args()
    for name in args.operation:
        OPERATIONS[name](args.data, args.limit)


if __name__ == "__main__":
    main()

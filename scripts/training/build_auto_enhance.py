"""Build and package `auto_enhance`: python build_auto_enhance.py. Nothing is trained."""

from __future__ import annotations

from package import version_folder, write_manifest
from tone_graphs import HALO, SIZE, TONE, write_analyse, write_render

STRENGTHS = {"low": 0.35, "medium": 0.6, "high": 0.85}


def main() -> None:
    folder = version_folder("auto_enhance")
    write_analyse(folder / "analyse.onnx")
    write_render(folder / "tone.onnx")
    head = {
        "name": "measured-tone",
        "description": "Restrained white balance, levels, edge-aware lift and local contrast by statistics.",
        "source": "scripts/training/build_auto_enhance.py",
        "trainedOn": "nothing: designed by hand; no photo",
    }
    stages = {
        "analyse": {
            "kind": "analyse",
            "file": "analyse.onnx",
            "size": SIZE,
            "outputs": {"tone": [TONE], "light": [2, SIZE, SIZE]},
            "maxBatch": 4,
            "maxDelayMs": 5,
        },
        "tone": {
            "kind": "render",
            "file": "tone.onnx",
            "tile": 256,
            "halo": HALO,
            "scale": 1,
            "maxBatch": 4,
            "maxDelayMs": 5,
        },
    }
    levels = {name: {"strength": s, "analyse": "analyse", "render": "tone"} for name, s in STRENGTHS.items()}
    write_manifest(folder, head, stages, levels)


if __name__ == "__main__":
    main()

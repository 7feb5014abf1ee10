"""Writes a model version: manifest.json, license, hashes and half-precision twins beside the graphs.

python package.py [FOLDER…] renews hashes and twins of versions that are there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

from graphs.half import fp16_entry

MODELS = Path(__file__).resolve().parents[2] / "models"

NOTICE = """Copyright the project's contributors

Licensed under the Apache License, Version 2.0 (the "License"); you may not use
these files except in compliance with the License. You may obtain a copy of the
License at

    https://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software distributed
under the License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR
CONDITIONS OF ANY KIND, either express or implied. See the License for the
specific language governing permissions and limitations under the License.
"""

Stage = dict[str, Any]


def version_folder(operation: str, version: int = 1) -> Path:
    """models/<operation>/<version>, created when missing."""
    folder = MODELS / operation / str(version)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_manifest(
    folder: Path, head: dict[str, Any], stages: dict[str, Stage], levels: dict[str, Any]
) -> None:
    """Write manifest.json with the hash of every stage's file, and LICENSE."""
    hashed = {name: _with_hash(folder, stage) for name, stage in stages.items()}
    manifest = {
        "$schema": "../../manifest.schema.json",
        "name": head["name"],
        "operation": folder.parent.name,
        "description": head["description"],
        "engine": "onnx",
        "license": "Apache-2.0",
        "source": head["source"],
        "trainedOn": head["trainedOn"],
        "stages": hashed,
        "levels": levels,
    }
    write_file(folder, manifest)
    (folder / "LICENSE").write_text(NOTICE, encoding="utf-8")


def renew(folder: Path) -> None:
    """Renew the hashes and half-precision files of a version. quantize.py then writes the 8-bit files again."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for stage in manifest["stages"].values():
        for twin in ("fp16", "int8"):
            stage.pop(twin, None)
    manifest["stages"] = {name: _with_hash(folder, stage) for name, stage in manifest["stages"].items()}
    write_file(folder, manifest)


def write_file(folder: Path, manifest: dict[str, Any]) -> None:
    """Write manifest.json."""
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")


def _with_hash(folder: Path, stage: Stage) -> Stage:
    digest = hashlib.sha256((folder / stage["file"]).read_bytes()).hexdigest()
    fixed = {"kind": stage["kind"], "file": stage["file"], "sha256": digest}
    return fixed | stage | fixed | fp16_entry(folder, stage["file"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*")
    args = parser.parse_args()
    for folder in args.folders or sorted(p.parent for p in MODELS.glob("*/*/manifest.json")):
        renew(folder)
        print(folder)


if __name__ == "__main__":
    main()

"""Writes a model version: manifest.json, licence and hashes beside the graphs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

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
    """models/<operation>/<version>, made when missing."""
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
        "licence": "Apache-2.0",
        "source": head["source"],
        "trainedOn": head["trainedOn"],
        "stages": hashed,
        "levels": levels,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    (folder / "LICENSE").write_text(NOTICE, encoding="utf-8")


def _with_hash(folder: Path, stage: Stage) -> Stage:
    digest = hashlib.sha256((folder / stage["file"]).read_bytes()).hexdigest()
    return {"kind": stage["kind"], "file": stage["file"], "sha256": digest} | stage

"""Human bodies from MakeHuman's base mesh, shape targets, and skeleton, all of which are CC0.

The folder is `makehuman/data` of github.com/makehumancommunity/makehuman. None of its code is used.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from shapes.solid import Solid

Rng = np.random.Generator


@dataclass(frozen=True)
class Body:
    """A person in one shape and pose, in meters, Z up, looking toward -Y."""

    vertices: np.ndarray
    rest: np.ndarray
    """The same before it was posed."""
    base: BaseMesh
    is_sitting: bool = False

    def part(self, *groups: str, keep: np.ndarray | None = None, swell: float | np.ndarray = 0.0) -> Solid:
        """Faces of groups, moved outward by `swell` meters. `keep` [N]: only those with all vertices in it.
        """
        faces = np.concatenate([self.base.groups[g] for g in groups])
        if keep is not None:
            faces = faces[keep[faces].all(1)]
        used, index = np.unique(faces, return_inverse=True)
        points = self.vertices + self.normals(faces) * np.broadcast_to(swell, len(self.vertices))[:, None]
        return Solid(points[used], [tuple(f) for f in index.reshape(faces.shape).tolist()])

    def normals(self, faces: np.ndarray) -> np.ndarray:
        """Unit normals of the vertices of quads, [N,3]; 0 elsewhere."""
        a, b, c, d = (self.vertices[faces[:, k]] for k in range(4))
        normals = np.zeros_like(self.vertices)
        for corner in range(4):
            np.add.at(normals, faces[:, corner], np.cross(c - a, d - b))
        return normals / (np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12)


class BaseMesh:
    """The base mesh with its skeleton, read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._targets: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        vertices, groups, name = [], {}, ""
        for line in (folder / "3dobjs/base.obj").read_text(encoding="utf-8").splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "v":
                vertices.append([float(v) for v in rest.split()])
            elif kind == "g":
                name = rest.strip()
            elif kind == "f":
                corners = [int(t.split("/")[0]) - 1 for t in rest.split()]
                groups.setdefault(name, []).append((corners + corners[-1:])[:4])
        self._vertices = np.array(vertices)
        self.groups = {key: np.array(faces) for key, faces in groups.items()}
        rig = json.loads((folder / "rigs/default.mhskel").read_text(encoding="utf-8"))
        weights = json.loads((folder / "rigs/default_weights.mhw").read_text(encoding="utf-8"))["weights"]
        self.bones = _parents_first(rig["bones"])
        self._joints = [rig["joints"][rig["bones"][bone]["head"]] for bone, _ in self.bones]
        self._weights = np.zeros((len(self.bones), len(vertices)))
        for row, (bone, _) in enumerate(self.bones):
            if weights.get(bone):
                index, value = zip(*weights[bone], strict=True)
                self._weights[row, list(index)] = value
        self._weights /= np.maximum(self._weights.sum(0), 1e-6)
        self.strongest = self._weights.argmax(0)

    def of_bones(self, *prefixes: str) -> np.ndarray:
        """Vertices that mainly follow bones with these names, bool [N]."""
        chosen = [row for row, (bone, _) in enumerate(self.bones) if bone.startswith(prefixes)]
        return np.isin(self.strongest, chosen)

    def moved_by(self, target: str, share: float = 0.5) -> np.ndarray:
        """Vertices that a shape target moves most, bool [N]."""
        index, way = self._target(target)
        size = np.linalg.norm(way, axis=1)
        found = np.zeros(len(self._vertices), bool)
        found[index[size > share * size.max()]] = True
        return found

    def shaped(self, shares: dict[str, float]) -> np.ndarray:
        """Vertices with fractions of shape targets added, in meters [N,3]."""
        points = self._vertices.copy()
        for name, share in shares.items():
            index, way = self._target(name)
            points[index] += share * way
        return np.stack([points[:, 0], -points[:, 2], points[:, 1]], 1) * 0.1

    def posed(self, rest: np.ndarray, turns: dict[str, np.ndarray]) -> Body:
        """Linear blend skinning. `turns`: rotations around the heads of bones, in world axes."""
        number = {bone: row for row, (bone, _) in enumerate(self.bones)}
        frames: list[np.ndarray] = []
        for row, (bone, parent) in enumerate(self.bones):
            own = np.eye(4)
            if bone in turns:
                joint = rest[self._joints[row]].mean(0)
                own[:3, :3], own[:3, 3] = turns[bone], joint - turns[bone] @ joint
            frames.append(frames[number[parent]] @ own if parent else own)
        mixed = np.einsum("bn,bij->nij", self._weights, np.stack(frames))
        moved = np.einsum("nij,nj->ni", mixed[:, :3, :3], rest) + mixed[:, :3, 3]
        free = self._weights.sum(0) < 0.5
        moved[free] = rest[free]
        return Body(moved, rest, self)

    def _target(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Vertices that a shape target moves, with the offsets, in decimeters. Read once."""
        if name not in self._targets:
            text = (self._folder / "targets" / f"{name}.target").read_text(encoding="utf-8")
            rows = [line.split() for line in text.splitlines() if line and line[0].isdigit()]
            ways = np.array([r[1:4] for r in rows], dtype=float).reshape(-1, 3)
            self._targets[name] = np.array([r[0] for r in rows], dtype=int), ways
        return self._targets[name]


def _parents_first(bones: dict[str, dict[str, str | None]]) -> list[tuple[str, str | None]]:
    ordered: list[tuple[str, str | None]] = []
    done: set[str | None] = {None}
    while len(ordered) < len(bones):
        for bone, entry in bones.items():
            if bone not in done and entry["parent"] in done:
                ordered.append((bone, entry["parent"]))
                done.add(bone)
    return ordered

"""Dressed people with hair, in many shapes and poses."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.solid import Solid, box, lathe, rotation
from stage import Stage
from subjects.bodies import BaseMesh, Body
from surfaces.colors import hair_color, skin_color, varied
from surfaces.shader import Shader

Rng = np.random.Generator
AGES = (("child", 0.15), ("young", 0.65), ("old", 0.2))


class People:
    """Creates people from one base mesh."""

    def __init__(self, base: BaseMesh) -> None:
        self._base = base

    def person(self, rng: Rng, stage: Stage) -> None:
        """A person in everyday clothes."""
        is_female = bool(rng.random() < 0.5)
        body = self._body(rng, is_female)
        tone, hair = skin_color(rng), hair_color(rng)
        skin = self._skin(rng, tone)
        stage.add(body.part("body"), skin, smooth=3.0, rounds=0)
        self._face(rng, stage, body, hair)
        self._clothes(rng, stage, body, is_female)
        if rng.random() < 0.93:
            self._hair(rng, stage, body, hair, is_long=rng.random() < (0.75 if is_female else 0.12))
        if rng.random() < 0.12:
            self._hat(rng, stage, body)
        if body.is_sitting:
            self._seat(rng, stage, body)

    def statue(self, rng: Rng, stage: Stage) -> None:
        """A figure of stone or bronze."""
        body = self._body(rng, bool(rng.random() < 0.5))
        surface = m.metal(rng) if rng.random() < 0.4 else m.stone(rng)
        stage.add(body.part("body"), surface, smooth=3.0)
        stage.add(body.part("helper-tights", swell=0.004), surface, smooth=3.0)
        if rng.random() < 0.5:
            stage.add(body.part("helper-skirt", swell=0.01), surface, smooth=3.0)
        stage.add(body.part("helper-hair"), surface, smooth=3.0)

    def _body(self, rng: Rng, is_female: bool) -> Body:
        sex = "female" if is_female else "male"
        names, chances = zip(*AGES, strict=True)
        age = names[rng.choice(3, p=chances)]
        roots = rng.dirichlet((0.5, 0.5, 0.5))
        shares = {
            f"macrodetails/{r}-{sex}-{age}": float(s)
            for r, s in zip(("african", "asian", "caucasian"), roots, strict=True)
        }
        for muscle, m_share in zip(
            ("minmuscle", "averagemuscle", "maxmuscle"), rng.dirichlet((1, 3, 1)), strict=True
        ):
            for weight, w_share in zip(
                ("minweight", "averageweight", "maxweight"), rng.dirichlet((1, 2, 1)), strict=True
            ):
                shares[f"macrodetails/universal-{sex}-{age}-{muscle}-{weight}"] = float(m_share * w_share)
        rest = self._base.shaped(shares)
        turns, is_sitting = _pose(rng)
        body = self._base.posed(rest, turns)
        low = body.vertices[self._base.groups["body"].ravel(), 2].min()
        return Body(body.vertices - (0, 0, low), rest, self._base, is_sitting)

    def _skin(self, rng: Rng, tone: tuple[float, float, float]) -> m.Material:
        shader = Shader("skin")
        color = shader.ramp(shader.noise(rng.uniform(20, 60), 4), (0.3, varied(rng, tone, 0.08)), (0.7, tone))
        return shader.set(Base_Color=color, Roughness=rng.uniform(0.35, 0.6)).material

    def _face(self, rng: Rng, stage: Stage, body: Body, hair: tuple[float, float, float]) -> None:
        iris = m.plain(
            varied(rng, ((0.08, 0.04, 0.02), (0.05, 0.12, 0.2), (0.02, 0.01, 0.01))[rng.integers(3)]), 0.1
        )
        white = m.plain((0.75, 0.72, 0.7), 0.15)
        for side in "lr":
            eye = body.part(f"helper-{side}-eye")
            middle = eye.vertices.mean(0)
            front = body.vertices[self._base.groups["body"][:, 0]][:, 1].min()
            way = np.array([0, min(front - middle[1], -0.01), 0]) / max(0.01, abs(front - middle[1]))
            spread = (eye.vertices - middle) @ way / np.linalg.norm(eye.vertices - middle, axis=1)
            dark = np.array([spread[list(face)].mean() > 0.86 for face in eye.faces])
            stage.add(eye, [white, iris], slots=dark, smooth=3.0)
        brow = self._base.moved_by("eyebrows/eyebrows-trans-up", 0.75)
        stage.add(
            body.part("body", keep=brow, swell=0.0015), m.plain(varied(rng, hair, 0.1), 0.8), smooth=3.0
        )
        if rng.random() < 0.6:
            mouth = self._base.moved_by("mouth/mouth-lowerlip-volume-incr", 0.3) | self._base.moved_by(
                "mouth/mouth-upperlip-volume-incr", 0.3
            )
            stage.add(
                body.part("body", keep=mouth, swell=0.0008),
                m.plain(varied(rng, (0.3, 0.07, 0.06), 0.4), 0.4),
                smooth=3.0,
            )

    def _seat(self, rng: Rng, stage: Stage, body: Body) -> None:
        """A block under a sitting person."""
        hips = body.vertices[self._flesh() & self._base.of_bones("pelvis", "root", "upperleg01")]
        middle, low = hips.mean(0), float(hips[:, 2].min())
        wide, deep = rng.uniform(0.4, 0.7, 2)
        block = box(wide, deep, max(low, 0.05)).moved(middle[0], middle[1] + 0.1)
        stage.add(block, m.anything(rng), bevel=0.01)

    def _clothes(self, rng: Rng, stage: Stage, body: Body, is_female: bool) -> None:
        base = self._base
        arms = base.of_bones("lowerarm02", "wrist", "finger", "metacarpal")
        forearm, shins = base.of_bones("lowerarm"), base.of_bones("lowerleg02", "foot", "toe")
        legs = base.of_bones("upperleg", "lowerleg", "foot", "toe")
        feet, head = base.of_bones("foot", "toe"), base.of_bones("head", "neck02", "neck03", "jaw")
        top_cover, loose = m.cloth(rng), rng.uniform(0.006, 0.03)
        if rng.random() < 0.15:
            top_cover = m.leather(rng)
        sleeves = rng.random()
        uncovered = arms if sleeves < 0.6 else forearm | arms
        if sleeves > 0.9:
            uncovered = uncovered | base.of_bones("upperarm", "shoulder01")
        hem = base.of_bones("lowerleg", "foot", "toe", "upperleg02")
        has_skirt = is_female and rng.random() < 0.4
        if has_skirt:
            cover = top_cover if rng.random() < 0.5 else m.cloth(rng)
            stage.add(
                self._folded(rng, body.part("helper-skirt", swell=0.012), 0.012), cover, smooth=3.0, rounds=1
            )
        bare = feet | head | (shins if rng.random() < (0.7 if has_skirt else 0.2) else np.zeros_like(feet))
        trousers = legs | base.of_bones("pelvis", "root", "spine05")
        stage.add(
            self._folded(
                rng, body.part("helper-tights", keep=trousers & ~bare, swell=rng.uniform(0.004, 0.014)), 0.006
            ),
            m.cloth(rng),
            smooth=3.0,
            rounds=1,
        )
        is_coat = rng.random() < 0.2
        shirt = ~(uncovered | head | (hem if is_coat else legs))
        stage.add(
            self._folded(rng, body.part("helper-tights", keep=shirt, swell=loose), loose * 0.5),
            top_cover,
            smooth=3.0,
            rounds=1,
        )
        if rng.random() < 0.92:
            shoe = m.leather(rng) if rng.random() < 0.6 else m.painted(rng)
            stage.add(body.part("body", keep=feet, swell=0.012), shoe, smooth=3.0, rounds=1)

    def _folded(self, rng: Rng, cloth: Solid, depth: float) -> Solid:
        """Wrinkles that run across and down."""
        v = cloth.vertices
        shift = np.zeros_like(v)
        for _ in range(6):
            way = rng.normal(0, 1, 3) * (14, 14, 30)
            shift += np.sin(v @ way + rng.uniform(0, 6.3))[:, None] * rng.normal(0, depth / 3, 3)
        return Solid(v + shift, cloth.faces)

    def _flesh(self) -> np.ndarray:
        """Vertices of the body itself, not of clothes or joints, bool [N]."""
        found = np.zeros(len(self._base.strongest), bool)
        found[self._base.groups["body"].ravel()] = True
        return found

    def _head(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """Center and half sizes of the skull."""
        skull = body.vertices[self._flesh() & self._base.of_bones("head")]
        low, high = skull.min(0), skull.max(0)
        return (low + high) / 2 + (0, 0.005, 0.01), (high - low) / 2 * (0.95, 0.95, 0.95)

    def _hair(
        self, rng: Rng, stage: Stage, body: Body, color: tuple[float, float, float], *, is_long: bool
    ) -> None:
        middle, half = self._head(body)
        base = self._base
        faces = base.groups["body"][base.of_bones("head")[base.groups["body"]].all(1)]
        centers, normals = body.vertices[faces].mean(1), body.normals(faces)[faces].mean(1)
        place = (centers - middle) / half
        scalp = (place[:, 2] > 0.25 + 0.55 * np.clip(-place[:, 1] - 0.15, 0, 1)) | (
            (place[:, 1] > 0.1) & (place[:, 2] > -0.35)
        )
        if rng.random() < 0.12:
            scalp &= place[:, 2] < 0.7
        centers, normals = (
            centers[scalp],
            normals[scalp] / (np.linalg.norm(normals[scalp], axis=1, keepdims=True) + 1e-9),
        )
        count, steps = 5000, 9
        picked = rng.integers(len(centers), size=count)
        at = centers[picked] + rng.normal(0, 0.006, (count, 3))
        length = rng.uniform(0.15, 0.5) if is_long else rng.uniform(0.01, 0.09)
        curl, lift = (
            rng.choice([0.1, 0.3, 0.9], p=[0.55, 0.3, 0.15]),
            rng.uniform(0.2, 1.0) * (0.5 if is_long else 1.2),
        )
        part, back = rng.normal(0, 0.4), rng.uniform(-0.3, 1.2)
        way, points = normals[picked] * lift, [at]
        side = np.sign(at[:, :1] - middle[0] - part * half[0] * 0.5) * np.array([[0.5, 0, 0]])
        fall = side + np.array([0, back * 0.5, -1.0 if is_long else -0.35])
        step = length / (steps - 1) * rng.uniform(0.7, 1.1, (count, 1))
        for k in range(1, steps):
            way = way + fall * (0.35 if is_long else 0.5) + rng.normal(0, curl, (count, 3))
            if k > steps / 2 and is_long:
                way = way * (0.5, 0.5, 1) + (0, 0, -0.4)
            way = way / np.linalg.norm(way, axis=1, keepdims=True)
            at = at + way * step
            inside = (at - middle) / (half * 1.07)
            distance = np.linalg.norm(inside, axis=1, keepdims=True)
            at = np.where(distance < 1, middle + inside / np.maximum(distance, 1e-3) * half * 1.07, at)
            points.append(at)
        shader = Shader("hair")
        tone = shader.ramp(shader.noise(30, 2), (0.3, varied(rng, color, 0.25)), (0.7, color))
        surface = shader.set(Base_Color=tone, Roughness=0.45).material
        stage.strands(np.stack(points, 1), rng.uniform(0.0007, 0.0014), surface)
        cap = np.zeros(len(body.vertices), bool)
        cap[faces[scalp].ravel()] = True
        stage.add(body.part("body", keep=cap, swell=0.003), surface, smooth=3.0)

    def _hat(self, rng: Rng, stage: Stage, body: Body) -> None:
        middle, half = self._head(body)
        r, brim = half[0] * 1.25, half[0] * rng.uniform(1.3, 2.6)
        profile = np.array(
            [
                (r, 0),
                (brim, -0.01),
                (brim, 0.0),
                (r, 0.012),
                (r * 0.95, half[2] * 0.7),
                (r * 0.5, half[2] * 0.95),
                (0.002, half[2]),
            ]
        )
        hat = lathe(profile, 36).scaled(1, half[1] / half[0], 1).turned("x", rng.normal(-0.1, 0.1))
        stage.add(hat.moved(middle[0], middle[1], middle[2] + half[2] * 0.3), m.cloth(rng))


def _pose(rng: Rng) -> tuple[dict[str, np.ndarray], bool]:
    """Rotations of bones (stand, walk, sit, lift arms), and whether the person sits."""
    turns: dict[str, np.ndarray] = {}
    kind = rng.choice(["stand", "walk", "sit", "wild"], p=[0.45, 0.25, 0.12, 0.18])
    for s, side in ((1, "L"), (-1, "R")):
        down = rng.uniform(0.6, 0.95) if kind != "wild" else rng.uniform(-1.6, 0.7)
        swing = rng.normal(0, 0.3 if kind == "walk" else 0.15)
        turns[f"upperarm01.{side}"] = rotation("x", swing) @ rotation("y", s * down)
        elbow = abs(rng.normal(0, 0.5)) if rng.random() < 0.6 else rng.uniform(0.8, 2.0)
        turns[f"lowerarm01.{side}"] = rotation("x", -elbow) @ rotation(
            "z", -s * rng.uniform(0, 0.6) * min(1, elbow)
        )
        stride = {
            "stand": rng.normal(0, 0.06),
            "walk": s * rng.uniform(0.2, 0.5),
            "sit": 1.45 + rng.normal(0, 0.1),
            "wild": rng.normal(0, 0.4),
        }[kind]
        turns[f"upperleg01.{side}"] = rotation("x", -stride) @ rotation("y", s * rng.normal(0.1, 0.05))
        bend = {
            "stand": 0.03,
            "walk": rng.uniform(0, 0.5) * (stride < 0),
            "sit": 1.45 + rng.normal(0, 0.2),
            "wild": abs(rng.normal(0, 0.5)),
        }[kind]
        turns[f"lowerleg01.{side}"] = rotation("x", bend)
    lean, twist = rng.normal(0, 0.06, 2)
    for bone in ("spine04", "spine03", "spine02"):
        turns[bone] = rotation("x", lean) @ rotation("z", twist)
    turns["neck01"] = rotation("z", rng.normal(0, 0.3)) @ rotation("x", rng.normal(0, 0.12))
    turns["head"] = rotation("y", rng.normal(0, 0.1)) @ rotation("z", rng.normal(0, 0.2))
    return turns, bool(kind == "sit")

"""The possible subjects of a picture, with their frequencies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from places.indoors import room, studio, wall
from places.outdoors import nature, street
from places.setting import Setting
from stage import Build
from subjects import (
    animals,
    buildings,
    craft,
    food,
    furniture,
    goods,
    plants,
    quadrupeds,
    tools,
    vehicles,
    vessels,
)
from subjects.people import People

Rng = np.random.Generator
SMALL: tuple[Build, ...] = (
    vessels.bottle, vessels.vase, vessels.cup, vessels.pan, vessels.clock, tools.hammer, tools.driver,
    goods.shoe, goods.books, goods.case, goods.sphere, goods.gift, food.fruit, food.cake, food.mushroom,
    plants.flower, plants.bush, plants.rosette, animals.toy,
)  # fmt: skip
LARGE: tuple[Build, ...] = (
    furniture.chair, furniture.sofa, furniture.table, furniture.cabinet, furniture.lamp, furniture.guitar,
    vehicles.car, vehicles.car, vehicles.truck, vehicles.bicycle, craft.boat, craft.airplane, buildings.house,
    tools.sign, tools.umbrella, plants.tree, plants.stump,
)  # fmt: skip
INDOORS: tuple[Build, ...] = (
    furniture.chair, furniture.sofa, furniture.table, furniture.cabinet, furniture.lamp,
    plants.rosette, plants.bush,
)  # fmt: skip
OUTDOORS: tuple[Build, ...] = (
    vehicles.car, vehicles.truck, vehicles.bicycle, plants.tree, plants.bush, tools.sign, plants.stump,
)  # fmt: skip
ANIMALS: tuple[tuple[Build, float], ...] = (
    (quadrupeds.quadruped, 0.6),
    (animals.bird, 0.28),
    (animals.fish, 0.12),
)
SHARES = {"person": 0.34, "animal": 0.22, "small": 0.25, "large": 0.19}
PLACES: tuple[tuple[Callable[[Setting], float], float], ...] = (
    (studio, 0.12), (room, 0.28), (street, 0.2), (nature, 0.25), (wall, 0.15),
)  # fmt: skip
STATUE_SHARE = 0.08
"""Of persons."""


class Catalog:
    """Selects subjects and clutter. Without bodies, it selects no people."""

    def __init__(self, people: People | None) -> None:
        self._people = people

    def subject(self, rng: Rng) -> tuple[str, Build]:
        """A kind of `SHARES`, and a builder."""
        kinds = [k for k in SHARES if k != "person" or self._people]
        shares = np.array([SHARES[k] for k in kinds])
        kind = kinds[rng.choice(len(kinds), p=shares / shares.sum())]
        if kind == "person":
            return kind, self._people.statue if rng.random() < STATUE_SHARE else self._people.person
        if kind == "animal":
            builds, chances = zip(*ANIMALS, strict=True)
            return kind, builds[rng.choice(len(builds), p=chances)]
        family = SMALL if kind == "small" else LARGE
        return kind, family[rng.integers(len(family))]

    def clutter(self, rng: Rng, kind: str, place: str) -> Build:
        """An object that fits a place; outdoors, sometimes a passerby."""
        if kind == "small":
            return SMALL[rng.integers(len(SMALL))]
        if place == "street" and self._people and rng.random() < 0.25:
            return self._people.person
        family = INDOORS if place == "room" else OUTDOORS
        return family[rng.integers(len(family))]

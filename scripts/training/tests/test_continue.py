"""A saved state is continued by the training that saved it, and by no other."""

from __future__ import annotations

import argparse
import unittest
from pathlib import Path

import numpy as np
import torch
from PIL import Image

import render_trial
import train_bg_remove
import train_upscale
from graphs.sr_graph import write_graph
from networks.origin import Origin, OtherTraining, origin
from networks.restore import load_sr
from networks.seg_fit import SegTrainer
from networks.seg_net import SegNet
from networks.sr_fit import Trainer
from networks.sr_net import SrNet
from networks.training_state import note_shipped, refuse_other
from tests.commands import CommandTest, run

NOTHING = origin("nothing", None, seed=1)


class UpscaleTest(CommandTest):
    operation = "upscale"

    def setUp(self) -> None:
        super().setUp()
        self.path = self.checkpoints / "x4.pt"
        self.graph = self.models / "upscale" / "1" / "x4.onnx"

    def save(self, step: int, began_with: Origin) -> None:
        Trainer(load_sr(self.graph), self.path, began_with)._state.save(step)

    def run_stage(self, *args: object) -> tuple[object, str]:
        few = ("--stage", "x4", "--checkpoints", self.checkpoints, "--scenes", 1, "--steps", 3)
        return run(train_upscale.main, *few, "--train-only", *args)

    def test_another_start_or_seed_is_refused(self) -> None:
        self.save(2, NOTHING)
        before = self.path.read_bytes()
        for arguments, difference in (
            (("--resume",), "start nothing, not --resume"),
            (("--seed", 2), "seed 1, not 2"),
        ):
            with self.subTest(arguments=arguments):
                code, said = self.run_stage(*arguments)
                self.assertEqual(code, 1)
                self.assertIn(f"{self.path} is of another training: {difference}.", said)
                self.assertIn("delete it or choose another folder with --checkpoints", said)
                self.assertEqual(self.path.read_bytes(), before)

    def test_the_same_command_continues(self) -> None:
        self.save(2, NOTHING)
        code, said = self.run_stage()
        self.assertIsNone(code, said)
        state = torch.load(self.path, map_location="cpu")
        self.assertEqual((state["step"], state["origin"]), (3, NOTHING))

    def test_a_state_of_an_older_version_continues(self) -> None:
        self.save(3, NOTHING)
        state = torch.load(self.path, map_location="cpu")
        older = {name: state[name] for name in ("step", "net", "mean", "optimizer")}
        torch.save(older, self.path)
        trainer = Trainer(load_sr(self.graph), self.path, origin("--resume", None, seed=2))
        trainer._state.save(4)
        self.assertIsNone(torch.load(self.path, map_location="cpu")["origin"])

    def test_weights_that_were_written_from_the_state_are_those_of_its_start(self) -> None:
        def now() -> Origin:
            given = {"resume": True, "seed": 1, "teacher": None, "checkpoints": self.checkpoints}
            return train_upscale.origin_of("x4", argparse.Namespace(**given))

        self.save(2, now())
        write_graph(SrNet(train_upscale.STAGES["x4"]), self.graph)
        with self.assertRaisesRegex(OtherTraining, "another training: weights "):
            refuse_other(self.path, now())
        note_shipped(self.path, load_sr(self.graph))
        refuse_other(self.path, now())
        trainer = Trainer(load_sr(self.graph), self.path, now())
        trainer._state.save(3)
        refuse_other(self.path, now())


class BgRemoveTest(CommandTest):
    operation = "bg_remove"

    def save(self, name: str, index: int, began_with: Origin) -> Path:
        path = self.checkpoints / f"{name}.pt"
        net = SegNet(train_bg_remove.NETWORKS[index].channels)
        SegTrainer(net, path, began_with)._state.save(2)
        return path

    def test_another_start_is_refused_before_anything_is_drawn(self) -> None:
        before = {index: self.save(f"seg-{index}", index, NOTHING).read_bytes() for index in (0, 1)}
        for arguments, start in ((("--resume",), "--resume"), (("--take-up", self.kept), "--take-up")):
            with self.subTest(start=start):
                code, said = run(train_bg_remove.main, "--checkpoints", self.checkpoints, *arguments)
                self.assertEqual(code, 1)
                self.assertIn(f"seg-0.pt is of another training: start nothing, not {start}.", said)
        for index, saved in before.items():
            self.assertEqual((self.checkpoints / f"seg-{index}.pt").read_bytes(), saved)

    def test_the_weights_of_a_start_have_one_fingerprint(self) -> None:
        for start in ({"take_up": None, "resume": True}, {"take_up": self.kept, "resume": False}):
            args = argparse.Namespace(seed=1, **start)
            for index in (0, 1):
                once = train_bg_remove.origin_of(index, args)
                self.assertEqual(train_bg_remove.origin_of(index, args), once)
            self.assertNotEqual(train_bg_remove.origin_of(0, args), once)

    def test_what_was_kept_or_packaged_continues(self) -> None:
        given = ("--checkpoints", self.checkpoints, "--package-only", "--keep", self.kept)
        took = argparse.Namespace(take_up=self.kept, resume=False, seed=1)
        resumed = argparse.Namespace(take_up=None, resume=True, seed=1)
        paths = [
            self.save("seg-0", 0, train_bg_remove.origin_of(0, took)),
            self.save("seg-1", 1, train_bg_remove.origin_of(1, resumed)),
        ]
        code, said = run(train_bg_remove.main, *given)
        self.assertIsNone(code, said)
        for index, args in ((0, took), (1, resumed)):
            refuse_other(paths[index], train_bg_remove.origin_of(index, args))
            with self.assertRaises(OtherTraining):
                refuse_other(paths[index], NOTHING)

    def test_a_trial_with_other_settings_is_refused(self) -> None:
        renders = self.checkpoints / "renders"
        renders.mkdir()
        for number in range(2):
            matte = np.zeros((64, 64), np.uint8)
            matte[16:40, 16:40] = 255
            Image.fromarray(matte).save(renders / f"{number}.png")
            Image.fromarray(np.stack([matte] * 3, 2)).save(renders / f"{number}.jpg")
        given = {"network": 1, "renders": renders, "steps": 50, "rate": 1e-3, "seed": 21}
        self.save("drawn", 1, render_trial._origin(argparse.Namespace(**given), 2))
        for arguments, difference in (
            (("--seed", 22), "seed 21, not 22"),
            (("--steps", 100), "steps 50, not 100"),
            (("--rate", 0.002), "rate 0.001, not 0.002"),
            (("--count", 1), "scenes 2, not 1"),
        ):
            with self.subTest(arguments=arguments):
                usual = ("--renders", renders, "--checkpoints", self.checkpoints, "--steps", 50)
                code, said = run(render_trial.main, *usual, *arguments)
                self.assertEqual(code, 1)
                self.assertIn(f"drawn.pt is of another training: {difference}.", said)


if __name__ == "__main__":
    unittest.main()

"""`--package-only` writes what a training has saved, or nothing."""

from __future__ import annotations

import unittest

import train_bg_remove
import train_upscale
from networks.origin import origin
from networks.sr_fit import Trainer
from networks.sr_net import SrNet
from tests.commands import CommandTest, run


class UpscaleTest(CommandTest):
    operation = "upscale"

    def test_a_missing_checkpoint_ends_it_before_anything_is_written(self) -> None:
        for stage in ("all", "x4"):
            with self.subTest(stage=stage):
                arguments = ("--package-only", "--stage", stage, "--checkpoints", self.checkpoints)
                code, said = run(train_upscale.main, *arguments)
                self.assertEqual(code, 2)
                first = "x2-teacher" if stage == "all" else stage
                self.assertIn(f"{first}.pt is missing: --stage {first} trains it", said)
                self.assertEqual(self.files(), self.before)

    def test_a_saved_average_is_written(self) -> None:
        net = SrNet(train_upscale.STAGES["x4"])
        trainer = Trainer(net, self.checkpoints / "x4.pt", origin("nothing", None, seed=1))
        trainer._state.save(3)
        code, _ = run(
            train_upscale.main, "--package-only", "--stage", "x4", "--checkpoints", self.checkpoints
        )
        self.assertIsNone(code)
        graph = self.models / "upscale" / "1" / "x4.onnx"
        written = train_upscale.load_sr(graph).state_dict()
        for name, values in trainer.average.state_dict().items():
            self.assertTrue(values.equal(written[name]), name)


class BgRemoveTest(CommandTest):
    operation = "bg_remove"

    def test_a_missing_checkpoint_ends_it_before_anything_is_written(self) -> None:
        for arguments in ((), ("--train-only",), ("--network", 1)):
            with self.subTest(arguments=arguments):
                given = ("--package-only", "--keep", self.kept, "--checkpoints", self.checkpoints)
                code, said = run(train_bg_remove.main, *given, *arguments)
                self.assertEqual(code, 2)
                self.assertIn(".pt is missing: train network ", said)
                self.assertEqual(self.files(), self.before)


if __name__ == "__main__":
    unittest.main()

"""Ship weights between those of models/ and a kept training: python mix_weights.py --renders DIR [--share S].

For `bg_remove`, whose kept training began with the weights of models/ (Izmailov et al. 2018, "Averaging
weights leads to wider optima and better generalization"). `mix.py` reads two graphs, whose norms are folded
into the weights. This measures the norms of the mixed weights, on 32 drawn and 32 rendered scenes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch.nn.modules.batchnorm import _BatchNorm

from networks.restore import restore_seg
from networks.seg_net import SegNet
from networks.training_state import take_up
from package import version_folder
from pools.scene_pool import ScenePool, drawn_scenes, rendered_scenes
from train_bg_remove import NETWORKS, kept, package

SCENES, VIEWS, VIEW = 32, 64, 144


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renders", type=Path, required=True, help="folder that rendered/render.py filled")
    parser.add_argument("--kept", type=Path, default=Path("kept"), help="weights of the training")
    parser.add_argument(
        "--share", type=float, default=0.7, help="0: those of models/, 1: those of the training"
    )
    args = parser.parse_args()
    torch.set_num_threads(1)
    rng = np.random.default_rng(5)
    scenes = drawn_scenes(np.random.default_rng(3), SCENES)
    scenes += rendered_scenes(args.renders, for_training=True)[:SCENES]
    images, _ = ScenePool(rng, scenes).batch(VIEWS, VIEW)
    package([mixed(index, images, args.kept, args.share) for index in range(len(NETWORKS))])


def mixed(index: int, images: torch.Tensor, folder: Path, share: float) -> SegNet:
    """The network whose weights are `share` of the way from the shipped to the kept ones.

    `images`: float32 [N,3,S,S] 0..1, for measuring the norms.
    """
    first, second, between = (SegNet(NETWORKS[index].channels) for _ in range(3))
    restore_seg(first, version_folder("bg_remove") / "subject-320.onnx", images, index)
    take_up(second, kept(index, folder))
    own, other = first.state_dict(), second.state_dict()
    between.load_state_dict(
        {
            name: own[name].float() * (1 - share) + value.float() * share
            if value.is_floating_point()
            else value
            for name, value in other.items()
        }
    )
    between.eval()  # styles are fixed, so that the result is reproducible
    for part in between.modules():
        if isinstance(part, _BatchNorm):
            part.train()
            part.momentum = None  # the plain mean
            part.reset_running_stats()
    with torch.no_grad():
        between(images)
    return between.eval()


if __name__ == "__main__":
    main()

"""Converts weights of known architectures to ONNX: python to_onnx.py WEIGHTS OUT.onnx [--edge PIXELS].

Reads .pth, .pt, .ckpt and .safetensors files with spandrel, which recognizes some forty architectures that
restore and enlarge pictures and unpickles nothing but tensors. Needs `pip install torch spandrel onnx`.
The graph takes and gives float32 [N,3,H,W] from 0 to 1, RGB, with free N, H and W where the network allows it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import onnx
import torch
from spandrel import ImageModelDescriptor, ModelLoader

OPSET = 17


def convert(weights: Path, target: Path, edge: int) -> str:
    """Write the graph. Returns the recognized architecture."""
    model = ModelLoader(device=torch.device("cpu")).load_from_file(weights)
    if not isinstance(model, ImageModelDescriptor):
        raise SystemExit(f"{weights} is no network that takes one picture.")
    if model.input_channels != 3 or model.output_channels != 3:
        raise SystemExit(f"{weights} takes {model.input_channels} channels; 3 are needed.")
    free = {0: "N", 2: "H", 3: "W"}
    torch.onnx.export(
        model.model.eval(),
        (torch.rand(1, 3, edge, edge),),
        str(target),
        opset_version=OPSET,
        input_names=["image"],
        output_names=["result"],
        dynamic_axes={"image": free, "result": free},
        dynamo=False,
    )
    onnx.checker.check_model(str(target))
    return f"{model.architecture.name}, x{model.scale}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--edge", type=int, default=64, help="of the picture that the graph is traced with")
    args = parser.parse_args()
    print(convert(args.weights, args.target, args.edge), file=sys.stderr)


if __name__ == "__main__":
    main()

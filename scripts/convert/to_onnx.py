"""Converts weights of known architectures to ONNX: python to_onnx.py WEIGHTS OUT.onnx [--edge PIXELS].

Reads .pth, .pt, .ckpt and .safetensors files with spandrel, which recognizes some forty architectures that
restore and enlarge pictures and unpickles nothing but tensors. Needs
`pip install torch spandrel onnx onnxruntime`. The graph takes and gives float32 [N,3,H,W] from 0 to 1, RGB.
N, H and W are free if the graph computes what the network does at a second size. Otherwise they are fixed.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from spandrel import ImageModelDescriptor, ModelLoader

OPSET = 17
FREE = {0: "N", 2: "H", 3: "W"}
MAX_DIFFERENCE = 1e-3
"""Of values from 0 to 1. Rounding makes a hundredth of it."""
MIN_STEP = 16


def convert(weights: Path, target: Path, edge: int) -> str:
    """Write the graph. Returns the recognized architecture, and whether the axes of the graph are free."""
    model = ModelLoader(device=torch.device("cpu")).load_from_file(weights)
    if not isinstance(model, ImageModelDescriptor):
        raise SystemExit(f"{weights} is no network that takes one picture.")
    if model.input_channels != 3 or model.output_channels != 3:
        raise SystemExit(f"{weights} takes {model.input_channels} channels; 3 are needed.")
    network = model.model.eval()
    sizes = model.size_requirements
    edge = rounded_up(max(edge, sizes.minimum), sizes.multiple_of)
    step = rounded_up(MIN_STEP, sizes.multiple_of)
    other = (edge + step, edge + (step if sizes.square else 2 * step))
    title = f"{model.architecture.name}, x{model.scale}"
    export(network, target, edge, FREE)
    if difference(network, target, (2, 3, *other)) <= MAX_DIFFERENCE:
        return f"{title}, free axes"
    # Tracing stores what a network computes from the size alone, such as the attention masks of SwinIR.
    export(network, target, edge, {})
    if difference(network, target, (1, 3, edge, edge)) > MAX_DIFFERENCE:
        target.unlink()
        raise SystemExit(f"The graph of {weights} does not compute what the network does. It was deleted.")
    return (
        f"{title}, only one picture of {edge} x {edge}: the graph does not compute what the network does for "
        f"two of {other[0]} x {other[1]}. A larger --edge makes fewer tiles."
    )


def rounded_up(number: int, factor: int) -> int:
    """The least multiple of the factor that is not below the number."""
    return math.ceil(number / factor) * factor


def export(network: torch.nn.Module, target: Path, edge: int, free: dict[int, str]) -> None:
    """Write the graph of a square picture. Its other axes are fixed."""
    torch.onnx.export(
        network,
        (torch.rand(1, 3, edge, edge),),
        str(target),
        opset_version=OPSET,
        input_names=["image"],
        output_names=["result"],
        dynamic_axes={"image": free, "result": free} if free else None,
        dynamo=False,
    )
    onnx.checker.check_model(str(target))


def difference(network: torch.nn.Module, target: Path, shape: tuple[int, ...]) -> float:
    """The largest difference of graph and network for random pictures. Infinite if one refuses them."""
    pictures = torch.rand(*shape, generator=torch.Generator().manual_seed(1))
    try:
        with torch.no_grad():
            expected = network(pictures.clone()).numpy()
        session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
        found = session.run(["result"], {"image": pictures.numpy()})[0]
    except Exception as error:  # Networks and the runtime raise errors of many kinds.
        print(f"{'x'.join(map(str, shape))}: {error}", file=sys.stderr)
        return math.inf
    if found.shape != expected.shape:
        return math.inf
    worst = float(np.abs(found - expected).max())
    return worst if math.isfinite(worst) else math.inf


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--edge", type=int, default=64, help="of the picture that the graph is traced with")
    args = parser.parse_args()
    print(convert(args.weights, args.target, args.edge), file=sys.stderr)


if __name__ == "__main__":
    main()

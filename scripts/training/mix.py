"""Halfway between two trainings: python mix.py FIRST SECOND OUT.onnx [--share S].

Both are graphs of the same shape, of which one was trained on from the other: then the weights between
them serve as well (Izmailov et al. 2018, "Averaging weights leads to wider optima and better
generalization"). Norms are folded into the weights already. `python package.py` renews hashes and twins.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def mixed(first: onnx.ModelProto, second: onnx.ModelProto, share: float) -> onnx.ModelProto:
    """Weights at `share` of the way from the first to the second. Raises ValueError when the graphs differ.
    """
    if [_shape(n) for n in first.graph.node] != [_shape(n) for n in second.graph.node]:
        raise ValueError("the graphs differ in more than their weights")
    others = {t.name: numpy_helper.to_array(t) for t in second.graph.initializer}
    for tensor in first.graph.initializer:
        own = numpy_helper.to_array(tensor)
        if own.dtype == np.float32 and not np.array_equal(own, others[tensor.name]):
            between = own * (1 - share) + others[tensor.name] * share
            tensor.CopyFrom(numpy_helper.from_array(between.astype(np.float32), tensor.name))
    return first


def _shape(node: onnx.NodeProto) -> tuple[str, list[str], list[str]]:
    return node.op_type, list(node.input), list(node.output)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the second, 0 to 1")
    args = parser.parse_args()
    model = mixed(onnx.load(args.first), onnx.load(args.second), args.share)
    onnx.checker.check_model(model, full_check=True)
    args.out.write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()

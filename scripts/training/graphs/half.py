"""Half-precision variants of the networks, written when a version is packaged.

The nodes of a network (convolutions with a bias, and nodes that only join, transform, or move their values)
compute in float16, including the weights. Statistics, guided filters, sampling, and the uint8 inputs and
outputs stay in float32, because sums of squares over large windows need its precision. Inputs and outputs are
the same as in the single-precision graph.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

MOVERS = {"Relu", "Concat", "Resize", "Add", "DepthToSpace", "Transpose", "Reshape", "Slice"}
"""Join a network's values without summing many of them."""
FLOAT_INPUTS = {"Resize": 1, "Reshape": 1, "Slice": 1, "DepthToSpace": 1, "Transpose": 1, "Relu": 1}
"""How many leading inputs of a node hold values; all, where it is not said."""

MIN_KERNEL = 500
"""A convolution with fewer weights costs nothing in single precision; those that decide are such."""
MIN_WEIGHTS = 10_000
"""What has fewer is no network worth the casts."""


def write_twin(source: Path) -> Path | None:
    """Write <stem>.fp16.onnx next to `source`; None when the graph contains no network."""
    model = onnx.load(source)
    half = network_nodes(model.graph)
    if network_weights(model.graph, half) < MIN_WEIGHTS:
        return None
    _convert(model.graph, half)
    onnx.checker.check_model(model, full_check=True)
    target = source.with_suffix(".fp16.onnx")
    target.write_bytes(model.SerializeToString(deterministic=True))
    return target


def network_nodes(graph: onnx.GraphProto) -> set[str]:
    """First outputs of the nodes of the network: convolutions, and nodes that move their values."""
    constants = {t.name: int(np.prod(t.dims)) for t in graph.initializer}
    found: set[str] = set()
    for node in graph.node:  # in the order of computation
        if node.op_type == "Conv" and len(node.input) == 3 and constants[node.input[1]] >= MIN_KERNEL:
            found.add(node.output[0])
        elif node.op_type in MOVERS:
            values = [n for n in _values(node) if n not in constants]
            if values and all(n in found for n in values):
                found.add(node.output[0])
    return found


def network_weights(graph: onnx.GraphProto, half: set[str]) -> int:
    """Number of weights of these nodes."""
    sizes = {t.name: int(np.prod(t.dims)) for t in graph.initializer}
    return sum(sizes.get(name, 0) for n in graph.node if n.output[0] in half for name in n.input)


def _values(node: NodeProto) -> list[str]:
    return list(node.input)[: FLOAT_INPUTS.get(node.op_type, len(node.input))]


class _Casts:
    """Casts of values, each created once."""

    def __init__(self, graph: onnx.GraphProto) -> None:
        self._weights = {t.name: t for t in graph.initializer}
        self._made: dict[tuple[str, int], str] = {}
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []

    def of(self, name: str, dtype: int) -> str:
        """`name` as `dtype`: a weight is converted, and any other value gets a Cast node."""
        key = (name, dtype)
        if key not in self._made:
            made = f"{name}_as_{TensorProto.DataType.Name(dtype).lower()}"
            if name in self._weights:
                array = numpy_helper.to_array(self._weights[name]).astype(np.float16)
                self.initializers.append(numpy_helper.from_array(array, made))
            else:
                self.nodes.append(helper.make_node("Cast", [name], [made], to=dtype))
            self._made[key] = made
        return self._made[key]


def _convert(graph: onnx.GraphProto, half: set[str]) -> None:
    casts = _Casts(graph)
    ordered: list[NodeProto] = []
    for node in graph.node:
        is_half = node.output[0] in half
        wanted = set(_values(node)) if is_half else set(node.input)
        for at, name in enumerate(node.input):
            if name in wanted and name and (name in half) != is_half:
                node.input[at] = casts.of(name, TensorProto.FLOAT16 if is_half else TensorProto.FLOAT)
        ordered += [*casts.nodes, node]
        casts.nodes.clear()
    del graph.node[:], graph.value_info[:]
    graph.node.extend(ordered)
    graph.initializer.extend(casts.initializers)
    used = {name for node in ordered for name in node.input}
    kept = [t for t in graph.initializer if t.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)


def fp16_entry(folder: Path, file: str) -> dict[str, Any]:
    """`{"fp16": …}` for a stage with a network, otherwise {}. Writes the half-precision file."""
    twin = write_twin(folder / file)
    if twin is None:
        return {}
    return {"fp16": {"file": twin.name, "sha256": hashlib.sha256(twin.read_bytes()).hexdigest()}}

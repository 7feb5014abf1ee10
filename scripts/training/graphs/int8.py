"""8-bit variants of the networks: integer weights and activations, for CPUs with integer dot products.

Post-training quantization by ONNX Runtime (QDQ, one scale for each output channel of a weight). Scales of
activations come from drawn pictures. Statistics, guided filters, sampling, and the uint8 inputs and outputs
stay in float32, as in the half-precision variants. Weights use 7 of 8 bits: with 8, processors without VNNI
add products of two bytes in 16 bits, which overflow, so that results would depend on the processor.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from graphs.half import MIN_WEIGHTS, network_nodes, network_weights

QUANTIZED = {"Conv", "Relu", "Add", "Concat"}
"""What computes on bytes. Other nodes of a network only move values, and the runtime casts around them."""

Feed = dict[str, np.ndarray]


class _Pictures(CalibrationDataReader):
    def __init__(self, feeds: Iterable[Feed]) -> None:
        self._feeds: Iterator[Feed] = iter(feeds)

    def get_next(self) -> Feed | None:
        return next(self._feeds, None)


def write_int8_twin(source: Path, feeds: Iterable[Feed]) -> Path | None:
    """Write <stem>.int8.onnx next to `source`; None when the graph contains no network.

    `feeds`: inputs of the graph by name, uint8 [1,H,W,3] for `image`.
    """
    model = onnx.load(source)
    network = network_nodes(model.graph)
    if network_weights(model.graph, network) < MIN_WEIGHTS:
        return None
    for index, node in enumerate(model.graph.node):
        node.name = f"{node.op_type.lower()}{index}"
    chosen = [n.name for n in model.graph.node if n.output[0] in network and n.op_type in QUANTIZED]
    target = source.with_suffix(".int8.onnx")
    with tempfile.TemporaryDirectory() as folder:
        named = Path(folder) / source.name
        onnx.save(model, named)
        quantize_static(
            named,
            target,
            _Pictures(feeds),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_quantize=chosen,
        )
    onnx.checker.check_model(str(target), full_check=True)
    return target


def int8_entry(folder: Path, file: str, feeds: Iterable[Feed]) -> dict[str, Any]:
    """`{"int8": …}` for a stage with a network, otherwise {}. Writes the 8-bit file."""
    twin = write_int8_twin(folder / file, feeds)
    if twin is None:
        return {}
    return {"int8": {"file": twin.name, "sha256": hashlib.sha256(twin.read_bytes()).hexdigest()}}

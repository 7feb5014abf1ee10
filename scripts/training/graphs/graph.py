"""A small ONNX writer with operator overloading, so that a graph reads like the formula it computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
"""Last opset whose operators every execution provider of interest implements completely."""
IR_VERSION = 8

Shape = list[int | str]
Attribute = int | float | str | Sequence[int] | onnx.GraphProto


class Value:
    """A named tensor of a graph. Arithmetic appends nodes."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph = graph
        self.name = name

    def __add__(self, other: Operand) -> Value:
        return self.graph.op("Add", self, other)

    def __radd__(self, other: Operand) -> Value:
        return self.graph.op("Add", other, self)

    def __sub__(self, other: Operand) -> Value:
        return self.graph.op("Sub", self, other)

    def __rsub__(self, other: Operand) -> Value:
        return self.graph.op("Sub", other, self)

    def __mul__(self, other: Operand) -> Value:
        return self.graph.op("Mul", self, other)

    def __rmul__(self, other: Operand) -> Value:
        return self.graph.op("Mul", other, self)

    def __truediv__(self, other: Operand) -> Value:
        return self.graph.op("Div", self, other)

    def __rtruediv__(self, other: Operand) -> Value:
        return self.graph.op("Div", other, self)


Operand = Value | float | np.ndarray


class Graph:
    """Collects the inputs, constants, and nodes of one ONNX model."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._nodes: list[onnx.NodeProto] = []
        self._node_count = 0
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        self._constants: dict[tuple[Any, ...], str] = {}
        self._initializers: list[onnx.TensorProto] = []

    def input(self, name: str, dtype: int, shape: Shape) -> Value:
        """Declare an input; a string in `shape` is a dynamic axis."""
        self._inputs.append(helper.make_tensor_value_info(name, dtype, shape))
        return Value(self, name)

    def output(self, value: Value, name: str, dtype: int, shape: Shape) -> None:
        """Publish `value` under `name`."""
        self._add(helper.make_node("Identity", [value.name], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, dtype, shape))

    def constant(self, data: ArrayLike, dtype: type = np.float32) -> Value:
        """An initializer; equal constants are stored once."""
        array = np.ascontiguousarray(np.asarray(data, dtype=dtype))
        array = array.reshape(np.shape(data))
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._constants:
            name = f"c{len(self._constants)}"
            self._constants[key] = name
            self._initializers.append(numpy_helper.from_array(array, name))
        return Value(self, self._constants[key])

    def ints(self, *values: int) -> Value:
        """An int64 vector, for axes, shapes and slices."""
        return self.constant(list(values), np.int64)

    def op(self, kind: str, *inputs: Operand | None, **attributes: Attribute) -> Value:
        """Append a node with one output."""
        return self.ops(kind, 1, *inputs, **attributes)[0]

    def ops(self, kind: str, count: int, *inputs: Operand | None, **attributes: Attribute) -> list[Value]:
        """Append a node with `count` outputs. None omits an optional input."""
        names = [self._name_of(x) for x in inputs]
        outputs = [f"{kind.lower()}{self._node_count}_{i}" for i in range(count)]
        self._add(helper.make_node(kind, names, outputs, **attributes))
        return [Value(self, name) for name in outputs]

    def _add(self, node: onnx.NodeProto) -> None:
        self._nodes.append(node)
        self._node_count += 1

    def when(self, condition: Value, then: Callable[[], Value], otherwise: Value) -> Value:
        """`then()` if the scalar `condition` is true, otherwise `otherwise`, both float32.

        Nodes that `then` appends are computed only if the condition is true.
        """
        branches = {
            "then_branch": self._branch("then", then),
            "else_branch": self._branch("else", lambda: self.op("Identity", otherwise)),
        }
        return self.op("If", condition, **branches)

    def _branch(self, name: str, build: Callable[[], Value]) -> onnx.GraphProto:
        outer, self._nodes = self._nodes, []
        try:
            result = helper.make_tensor_value_info(build().name, FLOAT, None)
            return helper.make_graph(self._nodes, f"{self.name}_{name}", [], [result])
        finally:
            self._nodes = outer

    def _name_of(self, operand: Operand | None) -> str:
        if operand is None:
            return ""
        return operand.name if isinstance(operand, Value) else self.constant(operand).name

    def slice(self, x: Value, start: int, end: int, axis: int) -> Value:
        """x[start:end] along `axis`."""
        return self.op("Slice", x, self.ints(start), self.ints(end), self.ints(axis))

    def concat(self, values: list[Value], axis: int) -> Value:
        """Concatenation along `axis`."""
        return self.op("Concat", *values, axis=axis)

    def clip(self, x: Value, low: float, high: float) -> Value:
        """Clamp to [low, high]."""
        return self.op("Clip", x, low, high)

    def cast(self, x: Value, dtype: int) -> Value:
        """Change of element type."""
        return self.op("Cast", x, to=dtype)

    def smoothstep(self, x: Value, low: float, high: float) -> Value:
        """0 below `low`, 1 above `high`, and C1-continuous between. If low > high, it falls instead."""
        t = self.clip((x - low) * (1.0 / (high - low)), 0.0, 1.0)
        return t * t * (3.0 - 2.0 * t)

    def save(self, path: Path) -> None:
        """Check the model and write it."""
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs, self._initializers)
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            producer_name="scripts/training",
            ir_version=IR_VERSION,
        )
        onnx.checker.check_model(model, full_check=True)
        path.write_bytes(model.SerializeToString(deterministic=True))


FLOAT = TensorProto.FLOAT
UINT8 = TensorProto.UINT8
INT64 = TensorProto.INT64
DOUBLE = TensorProto.DOUBLE

"""Extracts the network from `subject-320.onnx`, as a file that rembg's `u2net_custom` takes.

Usage: network.py subject-320.onnx out.onnx

The result takes float32 [1,3,320,320] normalized with the mean and deviation of ImageNet, which is what rembg sends,
and returns float32 [1,1,320,320] 0..1. It has all convolutions of the service's graph.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.utils import Extractor

MEAN = (0.485, 0.456, 0.406)
DEVIATION = (0.229, 0.224, 0.225)


def main(source: str, target: str) -> None:
    model = onnx.load(source)
    nodes = model.graph.node
    cast = next(node for node in nodes if node.op_type == "Cast")
    scaled = next(node for node in nodes if cast.output[0] in node.input)  # float32 0..1, channels first
    mask = [node for node in nodes if node.op_type == "Sigmoid"][-1]

    by_name = {value.name: value for value in onnx.shape_inference.infer_shapes(model).graph.value_info}
    model.graph.value_info.extend(by_name[name] for name in (scaled.output[0], mask.output[0]))
    network = Extractor(model).extract_model([scaled.output[0]], [mask.output[0]])

    graph = network.graph
    graph.input[0].CopyFrom(helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, 320, 320]))
    for name, values in (("deviation", DEVIATION), ("mean", MEAN)):
        graph.initializer.append(
            numpy_helper.from_array(np.array(values, np.float32).reshape(1, 3, 1, 1), name)
        )
    graph.node.insert(0, helper.make_node("Mul", ["input", "deviation"], ["input_scaled"]))
    graph.node.insert(1, helper.make_node("Add", ["input_scaled", "mean"], [scaled.output[0]]))
    del graph.value_info[:]
    onnx.save(network, target)


if __name__ == "__main__":
    main(*sys.argv[1:])

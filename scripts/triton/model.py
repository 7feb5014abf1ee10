"""Runs the version's model.onnx with ONNX Runtime in Triton's Python backend, where the ONNX backend is missing."""

import os
import sys

# From Python 3.11 on, the backend ignores PYTHONPATH.
sys.path += os.environ.get("PYTHONPATH", "").split(os.pathsep)

import onnxruntime
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        folder = os.path.join(args["model_repository"], args["model_version"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(os.environ.get("IES_TRITON_THREADS", "1"))
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 4
        self.session = onnxruntime.InferenceSession(
            os.path.join(folder, "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self.inputs = [value.name for value in self.session.get_inputs()]
        self.outputs = [value.name for value in self.session.get_outputs()]

    def execute(self, requests):
        return [self.answer(request) for request in requests]

    def answer(self, request):
        if request.is_cancelled():
            return pb_utils.InferenceResponse(error=pb_utils.TritonError("cancelled", pb_utils.TritonError.CANCELLED))
        try:
            feeds = {name: pb_utils.get_input_tensor_by_name(request, name).as_numpy() for name in self.inputs}
            results = self.session.run(self.outputs, feeds)
        except Exception as error:
            return pb_utils.InferenceResponse(error=pb_utils.TritonError(str(error)))
        tensors = [pb_utils.Tensor(name, value) for name, value in zip(self.outputs, results)]
        return pb_utils.InferenceResponse(output_tensors=tensors)

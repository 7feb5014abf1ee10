import { errorText } from '../../../kernel/errors/error-text.js';
/** Out-of-memory messages: ONNX Runtime on CPU, CUDA, TensorRT and WebGPU; TensorFlow.js. */
const TEXTS = [
  /out of (device |host |gpu )?memory/i,
  /OutOfMemory|OUT_OF_MEMORY/,
  /bad_alloc|bad allocation/i,
  /failed to allocate memory/i,
  /failed to allocate \d+ bytes/i,
  // cuDNN 9 says CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED.
  /(CUBLAS|CUDNN|CUFFT)_STATUS_\w*ALLOC(ATION)?_FAILED/,
  /not enough memory|insufficient memory/i,
  /array buffer allocation failed/i,
  /OOM when allocating/,
];

/** Whether an error means that memory is exhausted, so that a smaller run may succeed. */
export function isOutOfMemory(error: unknown): boolean {
  const text = errorText(error);
  return TEXTS.some((pattern) => pattern.test(text));
}

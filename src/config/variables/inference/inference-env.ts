import { type Descriptor, integer, oneOf, text } from '../descriptor.js';
import { s3Location } from '../s3-location.js';
import { devices } from './inference-devices.js';

/** Where to find models. */
export const MODEL_DESCRIPTORS = {
  modelsDir: text('MODELS_DIR', { default: './models', text: 'Model repository. See models/README.md.' }),
  modelsUrl: s3Location('MODELS_URL', {
    defaultText: 'none: `MODELS_DIR`',
    text: 'Model repository in S3, instead of `MODELS_DIR`. Each process keeps a copy in `DATA_DIR/models`. `S3_ENDPOINT`, `AWS_*` and others apply as for `OBJECT_STORE_URL`. See docs/operations.md.',
  }),
  modelsMirror: text('MODELS_MIRROR', {
    default: undefined,
    text: 'Where `npm run models -- pull` finds files instead of the addresses in models/upstream.json: a folder (absolute path), or an `http(s)` base URL that serves them under their upstream names.',
  }),
  modelsPollMs: integer('MODELS_POLL_MS', {
    default: 5_000,
    min: 0,
    max: 3_600_000,
    text: 'How often a worker scans for new model versions, in addition to file change notifications. `0`: only at start and on `npm run models -- reload`.',
  }),
  modelCheckMemoryBytes: integer('MODEL_CHECK_MEMORY_BYTES', {
    default: 8_000_000_000,
    min: 500_000_000,
    max: 10_000_000_000_000,
    text: 'Memory limit for checking one model version in its own process, enforced by the kernel on Linux. A version that needs more is rejected.',
  }),
  modelSwap: oneOf('MODEL_SWAP', {
    values: ['auto', 'exit', 'off'],
    default: 'auto',
    text: 'What a worker does when a new model version passes its check. `auto`: under `npm start` a new worker process takes over; a worker without a supervisor logs it and continues. `exit`: workers take turns to drain and exit with code 75, so that a restart policy starts them again. `off`: nothing.',
  }),
  modelSwapTimeoutMs: integer('MODEL_SWAP_TIMEOUT_MS', {
    default: 300_000,
    min: 1_000,
    max: 86_400_000,
    text: 'How long a new worker process may take to load and warm its models. After that it is stopped, and the previous worker continues. With `MODEL_SWAP=exit`, workers wait as long for the successor of a worker that left.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

/** How to run models. */
export const INFERENCE_DESCRIPTORS = {
  inferenceDevice: oneOf('INFERENCE_DEVICE', {
    values: ['auto', 'cpu', 'cuda', 'tensorrt', 'webgpu'],
    default: 'auto',
    text: 'Execution provider. `auto` uses the best one that loads. With any other value, the worker refuses to start if that provider does not load.',
  }),
  inferenceDevices: devices('INFERENCE_DEVICES', {
    text: 'Several devices for one worker, for example `cuda:0,cuda:1`. Each has a thread, and jobs are spread over them. Overrides `INFERENCE_DEVICE`.',
  }),
  precision: oneOf('PRECISION', {
    values: ['auto', 'float32', 'float16', 'int8'],
    default: 'auto',
    text: 'Numbers that models compute with. `auto`: half precision on a GPU that supports it, 8-bit integers on a CPU that is faster with them, otherwise single precision. Any other value is used wherever a model has a file of that precision.',
  }),
  inferenceMaxBatch: integer('INFERENCE_MAX_BATCH', {
    default: 0,
    min: 0,
    max: 1_024,
    text: 'Maximum batch size, in addition to the limit of each model. `0`: no further limit on a GPU, 1 on a CPU.',
  }),
  inferenceThreads: integer('INFERENCE_THREADS', {
    default: 0,
    min: 0,
    max: 256,
    text: 'Compute threads on a CPU. `0`: one for each core.',
  }),
  inferenceStreams: integer('INFERENCE_STREAMS', {
    default: 2,
    min: 1,
    max: 64,
    text: 'Runs in parallel on a device. On a CPU, each has its share of `INFERENCE_THREADS`. On CUDA, one copies pixels while another one computes. More streams use the device better, but each one loads the models again. WebGPU and TensorRT have one.',
  }),
  inferenceTimeoutMs: integer('INFERENCE_TIMEOUT_MS', {
    default: 300_000,
    min: 1_000,
    max: 86_400_000,
    text: 'How long a device may compute one batch. After that, the worker returns its jobs to the queue and exits, because a run cannot be stopped. See docs/operations.md.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

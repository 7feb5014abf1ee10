import { type Descriptor, integer, oneOf, text } from './descriptor.js';
import { devices } from './inference-devices.js';

/** Which models there are. */
export const MODEL_DESCRIPTORS = {
  modelsDir: text('MODELS_DIR', { default: './models', text: 'Model repository, see models/.' }),
  modelsPollMs: integer('MODELS_POLL_MS', {
    default: 5_000,
    min: 0,
    max: 3_600_000,
    text: 'How often a worker looks for new model versions, beside what the system tells it of changed files. `0` = only at its start and on `npm run models -- reload`.',
  }),
  modelCheckMemoryBytes: integer('MODEL_CHECK_MEMORY_BYTES', {
    default: 8_000_000_000,
    min: 500_000_000,
    max: 10_000_000_000_000,
    text: 'Memory that trying one model version may take; a version that wants more is refused. The try is a process of its own, and on Linux the kernel holds it to this.',
  }),
  modelSwap: oneOf('MODEL_SWAP', {
    values: ['auto', 'exit', 'off'],
    default: 'auto',
    text: 'What follows when a new version is sound. `auto`: under `npm start` a new worker process takes over; a worker that runs by itself stays as it is and says so. `exit`: it drains and ends with code 75, for whatever starts it again. `off`: nothing.',
  }),
  modelSwapTimeoutMs: integer('MODEL_SWAP_TIMEOUT_MS', {
    default: 300_000,
    min: 1_000,
    max: 86_400_000,
    text: 'How long a new worker process may take to load and warm its models, before it is ended and the one before goes on.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

/** What runs them. */
export const INFERENCE_DESCRIPTORS = {
  inferenceDevice: oneOf('INFERENCE_DEVICE', {
    values: ['auto', 'cpu', 'cuda', 'tensorrt', 'webgpu'],
    default: 'auto',
    text: 'Execution provider. `auto` takes the best that loads; with any other choice that does not load the worker refuses to start and says why.',
  }),
  inferenceDevices: devices('INFERENCE_DEVICES', {
    text: 'Several devices of one worker, for example `cuda:0,cuda:1`: a device thread each, jobs spread over them. In place of `INFERENCE_DEVICE`.',
  }),
  inferenceMaxBatch: integer('INFERENCE_MAX_BATCH', {
    default: 0,
    min: 0,
    max: 1_024,
    text: "Most items of one run, over every model's own bound. `0` = no further bound on a GPU, 1 on a CPU, where one item fills the cores already.",
  }),
  inferenceThreads: integer('INFERENCE_THREADS', {
    default: 0,
    min: 0,
    max: 256,
    text: 'Threads that compute on a CPU. `0` = one for each core.',
  }),
  inferenceStreams: integer('INFERENCE_STREAMS', {
    default: 2,
    min: 1,
    max: 64,
    text: 'How many tiles a CPU computes at the same time, each with its part of `INFERENCE_THREADS`; never more than threads. Several use the cores better than several threads in one; each takes memory for the models once more. A GPU has one.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

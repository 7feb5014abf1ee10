import { type Descriptor, integer, secret, urls } from '../descriptor.js';

/** Inference servers: their URLs and limits. */
export const TRITON_DESCRIPTORS = {
  tritonUrls: secret(
    urls('TRITON_URL', {
      protocols: ['http:', 'https:'],
      text: 'Addresses of the replicas of an inference server (Triton, KServe) that runs the remote stages of models, separated by commas. May hold user and password. See docs/triton.md.',
    }),
  ),
  tritonTimeoutMs: integer('TRITON_TIMEOUT_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    text: 'Deadline of one request to an inference server, including its queue.',
  }),
  tritonMaxOutageMs: integer('TRITON_MAX_OUTAGE_MS', {
    default: 3_600_000,
    min: 1_000,
    max: 30 * 86_400_000,
    text: 'How long jobs wait for an inference server that takes no requests. After that, jobs that have waited for `JOB_UNSERVED_MS` and that no other worker can run fail as `processing_failed`.',
  }),
  tritonConcurrency: integer('TRITON_CONCURRENCY', {
    default: 4,
    min: 2,
    max: 256,
    text: 'Requests that a worker sends to an inference server at the same time. Raise it with the number of GPUs behind `TRITON_URL`.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

import { type Descriptor, integer } from './descriptor.js';

/** Reserved disk space and shutdown times. */
export const STORAGE_DESCRIPTORS = {
  diskReserveBytes: integer('DISK_RESERVE_BYTES', {
    default: 512 * 2 ** 20,
    min: 0,
    max: 1_000_000_000_000_000,
    text: 'Free space on the disk of `DATA_DIR` that uploads and jobs must not use, so that a database on the same disk keeps running. Below it, uploads get 503, workers take no jobs, and `/health/ready` reports `full` (of an api with 200, of a worker with 503).',
  }),
  jobMaxReturns: integer('JOB_MAX_RETURNS', {
    default: 8,
    min: 1,
    max: 1_000,
    text: 'How often a job may return to the queue because of machine faults (a full or failing disk, no file descriptors, a lost device or one without memory) before it fails as `service_unavailable`.',
  }),
  shutdownDelayMs: integer('SHUTDOWN_DELAY_MS', {
    default: 0,
    min: 0,
    max: 600_000,
    text: 'How long an api process continues to serve after SIGTERM while `/health/ready` answers 503. Behind a load balancer, set the time that it takes to notice, for example 5000 in Kubernetes.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

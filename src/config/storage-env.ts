import { type Descriptor, integer } from './descriptor.js';

/** How full disks and leaving processes are treated. */
export const STORAGE_DESCRIPTORS = {
  diskReserveBytes: integer('DISK_RESERVE_BYTES', {
    default: 512 * 2 ** 20,
    min: 0,
    max: 1_000_000_000_000_000,
    text: 'Free space on the disk of `DATA_DIR` that uploads and jobs leave alone, so that a database on the same disk keeps running. Below it uploads are answered with 503, workers take no jobs and `/health/ready` says `full`.',
  }),
  jobMaxReturns: integer('JOB_MAX_RETURNS', {
    default: 8,
    min: 1,
    max: 1_000,
    text: 'How often workers may give a job back because of a fault of their machine (a full or failing disk, no file descriptors), before the job fails as `service_unavailable`.',
  }),
  shutdownDelayMs: integer('SHUTDOWN_DELAY_MS', {
    default: 0,
    min: 0,
    max: 600_000,
    text: 'How long an API process that is told to end still serves, while its `/health/ready` answers 503. Behind a load balancer set the time it takes to notice, for example 5000 in Kubernetes.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

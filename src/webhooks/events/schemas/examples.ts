import type { BatchDto } from '../../../common/resources/batch.dto.js';
import type { ExceededQuotaDto } from '../../../common/resources/exceeded-quota.dto.js';
import type { JobDto } from '../../../common/resources/job.dto.js';
import type { SourceDto } from '../../../common/resources/source.dto.js';
import type { JobStatus } from '../../../kernel/operations.js';

const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const SOURCE_URL =
  'https://images.example/files/src_0193f2c4a1a07c3d8e4f5a6b7c8d9e0f.jpg?exp=1795334400&sig=5f2c4a';
const CREATED_AT = '2026-11-21T08:00:00.000Z';
const STARTED_AT = '2026-11-21T08:00:00.420Z';
const COMPLETED_AT = '2026-11-21T08:00:02.310Z';

const QUEUED = {
  id: 'job_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f',
  livemode: true,
  status: 'queued',
  operation: 'upscale',
  level: 'medium',
  operations: [{ operation: 'upscale', level: 'medium', model: null, timings: null }],
  sourceUrl: SOURCE_URL,
  error: null,
  output: { format: 'jpeg', quality: null, background: null },
  progress: 0,
  attempts: 0,
  model: null,
  device: null,
  timings: null,
  metadata: { orderId: '4711' },
  createdAt: CREATED_AT,
  startedAt: null,
  completedAt: null,
} satisfies JobDto;

const MODEL = { name: 'upscale', version: 1, sha256: SHA };

const ENDED = {
  ...QUEUED,
  attempts: 1,
  device: 'cpu',
  precision: 'float32',
  model: MODEL,
  startedAt: STARTED_AT,
  completedAt: COMPLETED_AT,
} satisfies JobDto;

/** Example of a job in this state. */
export function exampleJob(status: JobStatus): JobDto {
  if (status === 'failed') {
    const message = 'The image is truncated or corrupt.';
    return { ...ENDED, status, error: { code: 'undecodable_image', message, retryable: false } };
  }
  if (status !== 'completed') return { ...QUEUED, status };
  return {
    ...ENDED,
    status,
    operations: [{ operation: 'upscale', level: 'medium', model: MODEL, timings: { inferenceMs: 1_640 } }],
    progress: 1,
    resultUrl:
      'https://images.example/files/job_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f.jpg?exp=1795334402&sig=81d0be',
    result: {
      format: 'jpeg',
      width: 1920,
      height: 1280,
      bytes: 412_331,
      sha256: SHA,
      expiresAt: '2026-12-21T08:00:02.310Z',
    },
    timings: { queuedMs: 420, decodeMs: 21, inferenceMs: 1_640, encodeMs: 84, totalMs: 2_310 },
  };
}

export const EXAMPLE_UPLOAD: SourceDto = {
  url: SOURCE_URL,
  id: 'src_0193f2c4a1a07c3d8e4f5a6b7c8d9e0f',
  format: 'jpeg',
  width: 960,
  height: 640,
  bytes: 208_411,
  sha256: SHA,
  createdAt: '2026-11-21T07:59:58.000Z',
};

export const EXAMPLE_QUOTA: ExceededQuotaDto = {
  quota: 'enhancements',
  limit: 50,
  used: 50,
  resetsAt: '2026-12-01T00:00:00.000Z',
  plan: 'free',
};

export const EXAMPLE_BATCH: BatchDto = {
  id: 'bat_0193f2c4a1b17c3d8e4f5a6b7c8d9e0f',
  livemode: true,
  status: 'completed',
  counts: { total: 120, queued: 0, processing: 0, completed: 118, failed: 2, canceled: 0 },
  percent: 100,
  operation: 'upscale',
  level: 'medium',
  metadata: { orderId: '4711' },
  createdAt: CREATED_AT,
  completedAt: '2026-11-21T08:03:41.872Z',
};

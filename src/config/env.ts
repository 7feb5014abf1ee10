import { resolve } from 'node:path';
import { ACCOUNT_DESCRIPTORS } from './account-env.js';
import { AUDIT_DESCRIPTORS } from './audit-env.js';
import { INFERENCE_DESCRIPTORS, MODEL_DESCRIPTORS } from './inference-env.js';
import { IMAGE_DESCRIPTORS } from './image-env.js';
import { SECRET_DESCRIPTORS } from './secret-env.js';
import { PIXEL_RATE_DESCRIPTORS } from './pixel-rate-env.js';
import { RETENTION_DESCRIPTORS } from './retention-env.js';
import { STORAGE_DESCRIPTORS } from './storage-env.js';
import { WEBHOOK_DESCRIPTORS } from './webhook-env.js';
import { type Descriptor, flag, integer, networks, oneOf, origins, text, url } from './descriptor.js';

/**
 * Every variable the service reads, grouped as the documentation shows them. This folder is the only
 * reader of the environment; docs/configuration.md is generated from this table.
 */
export const DESCRIPTORS = {
  host: text('HOST', { default: '127.0.0.1', text: 'Address to listen on. Containers set `0.0.0.0`.' }),
  port: integer('PORT', {
    default: 3000,
    min: 0,
    max: 65_535,
    text: 'Port of the API. `0` takes any free one.',
  }),
  publicUrl: url('PUBLIC_URL', {
    protocols: ['http:', 'https:'],
    defaultText: '`http://localhost:<PORT>`',
    text: 'Address under which clients reach the service; stands in every `url`, `sourceUrl` and `resultUrl`.',
  }),
  trustProxy: flag('TRUST_PROXY', {
    default: false,
    text: 'Take the client address from `X-Forwarded-For`. Only behind a proxy that sets it.',
  }),
  corsOrigins: origins('CORS_ORIGINS', {
    text: 'Pages of other origins that may call `/api` and `/files` from a browser, with a key. Cookies are never allowed, and nothing of the dashboard is. A key in a public page is a key for everybody.',
  }),
  dataDir: text('DATA_DIR', {
    default: './data',
    text: 'Folder of the embedded database, the image objects and the secrets made at first start. Everything in it is for the user of the service alone (modes 0600 and 0700).',
  }),
  scratchDir: text('SCRATCH_DIR', {
    default: undefined,
    defaultText: '`DATA_DIR/scratch`',
    text: 'Folder where workers keep the pixels of jobs in hand: up to 4 bytes for each pixel of source and result, on a disk rather than in memory.',
  }),
  databaseUrl: url('DATABASE_URL', {
    protocols: ['postgres:', 'postgresql:'],
    defaultText: 'embedded PostgreSQL in `DATA_DIR`',
    text: 'Your own PostgreSQL (14 or newer) instead of the embedded one.',
  }),
  databasePoolSize: integer('DATABASE_POOL_SIZE', {
    default: 10,
    min: 2,
    max: 200,
    text: 'Connections each process may open to PostgreSQL.',
  }),
  redisUrl: url('REDIS_URL', {
    protocols: ['redis:', 'rediss:'],
    defaultText: 'the queue lives in PostgreSQL',
    text: 'Carry the job queue on Redis (6.2 or newer) instead of PostgreSQL, for many workers.',
  }),
  ...MODEL_DESCRIPTORS,
  ...SECRET_DESCRIPTORS,
  webhookAllowHttp: flag('WEBHOOK_ALLOW_HTTP', {
    default: false,
    text: 'Send webhooks to `http:` addresses too. For development.',
  }),
  webhookAllowNetworks: networks('WEBHOOK_ALLOW_NETWORKS', {
    text: 'Networks that webhooks may be sent to although they are not public. Each one is a way for your customers into that network: for development and for receivers in your own.',
  }),
  logLevel: oneOf('LOG_LEVEL', {
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    default: 'info',
    text: 'Least severity that is logged.',
  }),
  ...IMAGE_DESCRIPTORS,
  ...STORAGE_DESCRIPTORS,
  ...PIXEL_RATE_DESCRIPTORS,
  ...RETENTION_DESCRIPTORS,
  fileUrlTtlSeconds: integer('FILE_URL_TTL_SECONDS', {
    default: 86_400,
    min: 1,
    max: 604_800,
    text: 'How long a signed file address can be read without a key.',
  }),
  resultRetentionSeconds: integer('RESULT_RETENTION_SECONDS', {
    default: 30 * 86_400,
    min: 1,
    max: 10 * 366 * 86_400,
    text: 'How long result pixels are kept; then `410`.',
  }),
  queueMaxPixels: integer('QUEUE_MAX_PIXELS', {
    default: 20_000_000_000,
    min: 1,
    max: 1_000_000_000_000_000,
    text: 'Source pixels that may wait in the queue; more jobs are answered with 503 until it shrinks.',
  }),
  workerConcurrency: integer('WORKER_CONCURRENCY', {
    default: 4,
    min: 1,
    max: 256,
    text: 'Jobs one worker has in hand at once.',
  }),
  workerMemoryBytes: integer('WORKER_MEMORY_BYTES', {
    default: 500_000_000,
    min: 50_000_000,
    max: 1_000_000_000_000,
    text: 'Memory that the jobs in hand may take together beside the models, as estimated before they start; a job that needs more runs alone. See docs/memory.md.',
  }),
  workerHost: text('WORKER_HOST', {
    default: '127.0.0.1',
    text: 'Address of the port below. Containers set `0.0.0.0`.',
  }),
  workerPort: integer('WORKER_PORT', {
    default: 0,
    min: 0,
    max: 65_535,
    text: 'Port on which a worker answers `/metrics`, `/health/live` and `/health/ready`. `0` = none.',
  }),
  metricsToken: text('METRICS_TOKEN', {
    default: undefined,
    text: 'What Prometheus sends as `Authorization: Bearer …` to read `/metrics`. Without it the API has no metrics, and a worker shows them to whoever reaches its port.',
  }),
  jobLeaseMs: integer('JOB_LEASE_MS', {
    default: 30_000,
    min: 200,
    max: 3_600_000,
    text: 'A worker that has not renewed its lease for this long is taken for lost.',
  }),
  jobMaxAttempts: integer('JOB_MAX_ATTEMPTS', {
    default: 2,
    min: 1,
    max: 20,
    text: 'Workers a job may lose before it is failed as `worker_lost`.',
  }),
  jobUnservedMs: integer('JOB_UNSERVED_MS', {
    default: 300_000,
    min: 60_000,
    max: 86_400_000,
    text: 'For how long no worker may have been there that could run a queued job as it was promised, before the job fails. Longer than a worker takes to start again.',
  }),
  sweepIntervalMs: integer('SWEEP_INTERVAL_MS', {
    default: 2_000,
    min: 50,
    max: 600_000,
    text: 'Pause between two sweeps for lost jobs and expired objects.',
  }),
  drainTimeoutMs: integer('DRAIN_TIMEOUT_MS', {
    default: 25_000,
    min: 0,
    max: 3_600_000,
    text: 'How long a process may take to shut down. Jobs that cannot end in time go back to the queue five seconds before, and cost no attempt. Keep it below the grace period of whatever stops the process (Kubernetes grants 30 s).',
  }),
  authFailuresPerMinute: integer('AUTH_FAILURES_PER_MINUTE', {
    default: 60,
    min: 1,
    max: 100_000,
    text: 'Failed authentications one address may make a minute. Further ones are answered with 401 as well, a second later.',
  }),
  ...ACCOUNT_DESCRIPTORS,
  ...AUDIT_DESCRIPTORS,
  maxWaitingRequests: integer('MAX_WAITING_REQUESTS', {
    default: 10_000,
    min: 0,
    max: 1_000_000,
    text: 'Requests one api process holds back for a job (`Prefer: wait`, event streams). Past it clients are answered at once. As many pages of the dashboard may listen beside them.',
  }),
  maxWaitingRequestsPerAccount: integer('MAX_WAITING_REQUESTS_PER_ACCOUNT', {
    default: 1_000,
    min: 0,
    max: 1_000_000,
    text: 'How many of these may be of one account, so that none keeps the others out.',
  }),
  maxPagesPerAccount: integer('MAX_PAGES_PER_ACCOUNT', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: 'Open pages of the dashboard that one api process tells of changes, for one account. Further ones look by themselves twice a minute.',
  }),
  eventStreamSeconds: integer('EVENT_STREAM_SECONDS', {
    default: 300,
    min: 1,
    max: 86_400,
    text: 'Longest time an event stream of a job lasts. Clients then connect again by themselves, with a key that is looked at anew.',
  }),
  ...WEBHOOK_DESCRIPTORS,
  ...INFERENCE_DESCRIPTORS,
  avifEffort: integer('AVIF_EFFORT', {
    default: 3,
    min: 0,
    max: 9,
    text: 'AVIF encoder effort: higher is smaller and much slower.',
  }),
  webpEffort: integer('WEBP_EFFORT', { default: 2, min: 0, max: 6, text: 'WebP encoder effort.' }),
  pngLevel: integer('PNG_COMPRESSION_LEVEL', {
    default: 2,
    min: 0,
    max: 9,
    text: 'PNG (zlib) compression level.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

type Values = { readonly [Name in keyof typeof DESCRIPTORS]: ReturnType<(typeof DESCRIPTORS)[Name]['read']> };

export interface Config extends Omit<Values, 'publicUrl'> {
  /** Never ends in a slash. */
  readonly publicUrl: string;
}

/** Says every fault of the environment at once. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration is not valid (see docs/configuration.md):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration. Relative folders become absolute against the working directory.
 * @throws ConfigError with every fault, not just the first.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, descriptor] of Object.entries<Descriptor<unknown>>(DESCRIPTORS)) {
    try {
      values[key] = descriptor.read(env[descriptor.name]);
    } catch (error) {
      faults.push(`${descriptor.name} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  const config = values as unknown as Values;
  return {
    ...config,
    dataDir: resolve(config.dataDir),
    scratchDir: config.scratchDir === undefined ? undefined : resolve(config.scratchDir),
    modelsDir: resolve(config.modelsDir),
    webDir: config.webDir === undefined ? undefined : resolve(config.webDir),
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
  };
}

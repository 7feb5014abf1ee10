import { join, resolve } from 'node:path';
import { rawValue } from './secrets/secret-files.js';
import { OIDC_DESCRIPTORS } from './variables/oidc/oidc-env.js';
import { ACCOUNT_DESCRIPTORS } from './variables/account-env.js';
import { AUDIT_DESCRIPTORS } from './variables/audit-env.js';
import { COMPAT_DESCRIPTORS } from './variables/compat-env.js';
import { DATABASE_DESCRIPTORS } from './variables/database-env.js';
import { MAIL_DESCRIPTORS } from './variables/mail-env.js';
import { INFERENCE_DESCRIPTORS, MODEL_DESCRIPTORS } from './variables/inference/inference-env.js';
import { IMAGE_DESCRIPTORS } from './variables/image-env.js';
import { SECRET_DESCRIPTORS } from './variables/secret-env.js';
import { PIXEL_RATE_DESCRIPTORS } from './variables/pixel-rate-env.js';
import { RETENTION_DESCRIPTORS } from './variables/retention-env.js';
import { S3_DESCRIPTORS } from './variables/s3-env.js';
import { STORAGE_DESCRIPTORS } from './variables/storage-env.js';
import { TELEMETRY_DESCRIPTORS } from './variables/telemetry-env.js';
import { TRITON_DESCRIPTORS } from './variables/inference/triton-env.js';
import { UPLOAD_DESCRIPTORS } from './variables/upload-env.js';
import { WEBHOOK_DESCRIPTORS } from './variables/webhook-env.js';
import {
  type Descriptor,
  flag,
  integer,
  networks,
  oneOf,
  origins,
  secret,
  text,
  url,
} from './variables/descriptor.js';
import { errorText } from '../kernel/errors/error-text.js';

/**
 * Every variable that the service reads, grouped as in the documentation. Only this folder reads the environment;
 * docs/configuration.md is generated from this table.
 */
export const DESCRIPTORS = {
  host: text('HOST', { default: '127.0.0.1', text: 'Address to listen on. Containers set `0.0.0.0`.' }),
  port: integer('PORT', {
    default: 3000,
    min: 0,
    max: 65_535,
    text: 'Port of the API. `0`: any free port.',
  }),
  publicUrl: url('PUBLIC_URL', {
    protocols: ['http:', 'https:'],
    isBase: true,
    defaultText: '`http://localhost:<PORT>`',
    text: 'Public URL of the service. It is part of every `url`, `sourceUrl` and `resultUrl`.',
  }),
  trustProxy: flag('TRUST_PROXY', {
    default: false,
    text: 'Read the client address from `X-Forwarded-For`. Enable it only behind a proxy that sets this header.',
  }),
  corsOrigins: origins('CORS_ORIGINS', {
    text: 'Origins whose pages may call `/api` and `/files` from a browser, with an API key. Cookies and dashboard routes are never allowed. A key in a public page can be used by anyone.',
  }),
  dataDir: text('DATA_DIR', {
    default: './data',
    text: 'Folder of the embedded database, images, and the secrets created at the first start. Only the user of the service can read it (modes 0600 and 0700).',
  }),
  scratchDir: text('SCRATCH_DIR', {
    default: undefined,
    defaultText: '`DATA_DIR/scratch`',
    text: 'Folder where workers keep the pixels of running jobs: up to 4 bytes for each pixel of source and result. Use a disk, not a RAM disk.',
  }),
  ...DATABASE_DESCRIPTORS,
  redisUrl: secret(
    url('REDIS_URL', {
      protocols: ['redis:', 'rediss:'],
      defaultText: 'the queue lives in PostgreSQL',
      text: 'Redis (6.2 or newer) for the job queue instead of PostgreSQL, for many workers.',
    }),
  ),
  ...S3_DESCRIPTORS,
  ...MODEL_DESCRIPTORS,
  ...SECRET_DESCRIPTORS,
  webhookAllowHttp: flag('WEBHOOK_ALLOW_HTTP', {
    default: false,
    text: 'Allow webhooks to `http:` URLs. For development.',
  }),
  webhookAllowNetworks: networks('WEBHOOK_ALLOW_NETWORKS', {
    text: 'Private networks that webhooks may be sent to. Every customer can then send requests into that network. For development, and for receivers in your own network.',
  }),
  logLevel: oneOf('LOG_LEVEL', {
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    default: 'info',
    text: 'Minimum severity to log.',
  }),
  ...IMAGE_DESCRIPTORS,
  ...UPLOAD_DESCRIPTORS,
  ...COMPAT_DESCRIPTORS,
  ...STORAGE_DESCRIPTORS,
  ...PIXEL_RATE_DESCRIPTORS,
  ...RETENTION_DESCRIPTORS,
  fileUrlTtlSeconds: integer('FILE_URL_TTL_SECONDS', {
    default: 86_400,
    min: 1,
    max: 604_800,
    text: 'Lifetime of a signed file URL.',
  }),
  resultRetentionSeconds: integer('RESULT_RETENTION_SECONDS', {
    default: 30 * 86_400,
    min: 1,
    max: 10 * 366 * 86_400,
    text: 'How long results are kept; afterward they are `410`.',
  }),
  resultCache: flag('RESULT_CACHE', {
    default: true,
    text: 'Whether requests with `cache: true`, and accounts with this setting, get copies of earlier results instead of enhancing again. `false` turns this off for all; see docs/jobs.md.',
  }),
  queueMaxPixels: integer('QUEUE_MAX_PIXELS', {
    default: 20_000_000_000,
    min: 1,
    max: 1_000_000_000_000_000,
    text: 'The queue is full once it holds this many source pixels. Further jobs get 503 until it shrinks. The last job or batch that is admitted may exceed the limit.',
  }),
  workerConcurrency: integer('WORKER_CONCURRENCY', {
    default: 4,
    min: 1,
    max: 256,
    text: 'Concurrent jobs per worker.',
  }),
  workerMemoryBytes: integer('WORKER_MEMORY_BYTES', {
    default: 500_000_000,
    min: 50_000_000,
    max: 1_000_000_000_000,
    text: 'Memory limit for all running jobs of a worker, without the models, estimated before a job starts. A job that needs more runs alone. See docs/memory.md.',
  }),
  ...TELEMETRY_DESCRIPTORS,
  jobLeaseMs: integer('JOB_LEASE_MS', {
    default: 30_000,
    min: 200,
    max: 3_600_000,
    text: 'A worker that has not renewed its lease within this time is considered lost.',
  }),
  jobMaxAttempts: integer('JOB_MAX_ATTEMPTS', {
    default: 2,
    min: 1,
    max: 20,
    text: 'Attempts before a job whose workers died fails as `worker_lost`.',
  }),
  jobUnservedMs: integer('JOB_UNSERVED_MS', {
    default: 300_000,
    min: 60_000,
    max: 86_400_000,
    text: 'How long a queued job may wait while none of the running workers can run it, before it fails. Must be longer than the restart of a worker. A job that is too large for the disk of a worker is left to others for the same time, which starts again while another running worker reports a disk that is large enough.',
  }),
  sweepIntervalMs: integer('SWEEP_INTERVAL_MS', {
    default: 2_000,
    min: 50,
    max: 600_000,
    text: 'Interval between sweeps for lost jobs and expired objects.',
  }),
  drainTimeoutMs: integer('DRAIN_TIMEOUT_MS', {
    default: 25_000,
    min: 0,
    max: 3_600_000,
    text: 'How long a process may take to shut down. Five seconds before the end, unfinished jobs return to the queue without counting an attempt; after four fifths, open requests and webhook attempts are aborted. Keep it below the termination grace period (30 s in Kubernetes).',
  }),
  authFailuresPerMinute: integer('AUTH_FAILURES_PER_MINUTE', {
    default: 60,
    min: 1,
    max: 100_000,
    text: 'Failed authentications per minute from one address. Further ones also get 401, one second later.',
  }),
  ...ACCOUNT_DESCRIPTORS,
  ...OIDC_DESCRIPTORS,
  ...AUDIT_DESCRIPTORS,
  maxWaitingRequests: integer('MAX_WAITING_REQUESTS', {
    default: 10_000,
    min: 0,
    max: 1_000_000,
    text: 'Requests that one api process holds open for a job (`Prefer: wait`, event streams). Over the limit, clients get a response at once. The same number of dashboard pages may listen in addition.',
  }),
  maxWaitingRequestsPerAccount: integer('MAX_WAITING_REQUESTS_PER_ACCOUNT', {
    default: 1_000,
    min: 0,
    max: 1_000_000,
    text: 'How many of these requests one account may hold open.',
  }),
  maxPagesPerAccount: integer('MAX_PAGES_PER_ACCOUNT', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: 'Open dashboard pages of one account that get live updates from one api process. Further pages poll twice a minute.',
  }),
  eventStreamSeconds: integer('EVENT_STREAM_SECONDS', {
    default: 300,
    min: 1,
    max: 86_400,
    text: 'Maximum duration of an event stream. Clients then reconnect, and their key is checked again.',
  }),
  ...WEBHOOK_DESCRIPTORS,
  ...MAIL_DESCRIPTORS,
  ...INFERENCE_DESCRIPTORS,
  ...TRITON_DESCRIPTORS,
  avifEffort: integer('AVIF_EFFORT', {
    default: 3,
    min: 0,
    max: 9,
    text: 'AVIF encoder effort. Higher values give smaller files and are much slower.',
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

export interface Config extends Omit<Values, 'publicUrl' | 'oidcSignUp'> {
  /** The folder of models; with `modelsUrl`, of their local copy. */
  readonly modelsDir: string;
  /** Never ends in a slash. */
  readonly publicUrl: string;
  readonly oidcSignUp: 'open' | 'closed';
}

/** Reports every error of the environment at once. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration is not valid (see docs/configuration.md):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration. Resolves relative folders against the working directory.
 * @throws ConfigError with every error, not just the first
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, descriptor] of Object.entries<Descriptor<unknown>>(DESCRIPTORS)) {
    try {
      values[key] = descriptor.read(rawValue(descriptor, env));
    } catch (error) {
      faults.push(`${descriptor.name} ${errorText(error)}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  const config = values as unknown as Values;
  const alone = (['databaseDirectUrl', 'databaseReadUrl'] as const).filter(
    (key) => config[key] !== undefined && config.databaseUrl === undefined,
  );
  // The embedded database has no pooler or replica, so the URL would refer to another database.
  if (alone.length > 0)
    throw new ConfigError(alone.map((key) => `${DESCRIPTORS[key].name} is set without DATABASE_URL`));
  // Every role sees the sender, and only a dispatcher sees the server, so the other way around is no error here.
  if (config.smtpUrl !== undefined && config.smtpFrom === undefined)
    throw new ConfigError(['SMTP_URL is set without SMTP_FROM, the sender of the emails']);
  if (config.requireVerifiedEmail === 'on' && config.smtpFrom === undefined)
    throw new ConfigError([
      'REQUIRE_VERIFIED_EMAIL is on without SMTP_FROM, so nobody could confirm an address. Set SMTP_FROM (see docs/mail.md)',
    ]);
  if ((config.oidcIssuer === undefined) !== (config.oidcClientId === undefined))
    throw new ConfigError(['OIDC_ISSUER and OIDC_CLIENT_ID must both be set, or neither']);
  if (config.oidcClientSecret !== undefined && config.oidcIssuer === undefined)
    throw new ConfigError(['OIDC_CLIENT_SECRET is set without OIDC_ISSUER']);
  return {
    ...config,
    dataDir: resolve(config.dataDir),
    scratchDir: config.scratchDir === undefined ? undefined : resolve(config.scratchDir),
    modelsDir: resolve(config.modelsUrl === undefined ? config.modelsDir : join(config.dataDir, 'models')),
    webDir: config.webDir === undefined ? undefined : resolve(config.webDir),
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    oidcSignUp: config.oidcSignUp ?? config.signUp,
  };
}

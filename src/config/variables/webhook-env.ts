import { type Descriptor, integer, integers } from './descriptor.js';
import { ports } from './webhook-ports.js';

/** Retries, timeouts, and limits of webhooks. */
export const WEBHOOK_DESCRIPTORS = {
  webhookPorts: ports('WEBHOOK_PORTS', {
    text: 'Ports that webhooks may be sent to. They are checked when an endpoint is created or updated, and at each connection.',
  }),
  webhookRetryDelaysMs: integers('WEBHOOK_RETRY_DELAYS_MS', {
    // 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: the schedule of Standard Webhooks.
    default: [
      0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
    ],
    min: 0,
    max: 604_800_000,
    text: 'Delay before each delivery attempt, including the first; up to 20% of jitter is added. After the last attempt the delivery has failed.',
  }),
  webhookTimeoutMs: integer('WEBHOOK_TIMEOUT_MS', {
    default: 15_000,
    min: 50,
    max: 60_000,
    text: 'Timeout of a webhook request, including the connection.',
  }),
  webhookDisableAfterMs: integer('WEBHOOK_DISABLE_AFTER_MS', {
    default: 5 * 86_400_000,
    min: 100,
    max: 365 * 86_400_000,
    text: 'A webhook endpoint is disabled after this time of nothing but failures.',
  }),
  webhookConcurrency: integer('WEBHOOK_CONCURRENCY', {
    default: 64,
    min: 1,
    max: 1_000,
    text: 'Concurrent webhook attempts per dispatcher. Slow attempts are counted separately, up to 32 times as many.',
  }),
  webhookEndpointConcurrency: integer('WEBHOOK_ENDPOINT_CONCURRENCY', {
    default: 16,
    min: 1,
    max: 1_000,
    text: 'Concurrent attempts per endpoint, and at all endpoints of an account with the same host name. An endpoint that does not answer gets one.',
  }),
  webhookHostRate: integer('WEBHOOK_HOST_RATE', {
    default: 100,
    min: 1,
    max: 100_000,
    text: 'Webhook attempts per second and dispatcher at all endpoints of an account with the same host name. Further deliveries wait.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

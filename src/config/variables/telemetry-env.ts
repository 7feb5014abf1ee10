import { type Descriptor, integer, secret, text, url } from './descriptor.js';

/** What each role exposes to operators. */
export const TELEMETRY_DESCRIPTORS = {
  workerHost: text('WORKER_HOST', {
    default: '127.0.0.1',
    text: 'Address for `WORKER_PORT`. Containers set `0.0.0.0`.',
  }),
  workerPort: integer('WORKER_PORT', {
    default: 0,
    min: 0,
    max: 65_535,
    text: 'Port for `/metrics`, `/health/live` and `/health/ready` of a worker. `0`: none.',
  }),
  dispatcherHost: text('DISPATCHER_HOST', {
    default: '127.0.0.1',
    text: 'Address for `DISPATCHER_PORT`. Containers set `0.0.0.0`.',
  }),
  dispatcherPort: integer('DISPATCHER_PORT', {
    default: 0,
    min: 0,
    max: 65_535,
    text: 'Port for `/metrics`, `/health/live` and `/health/ready` of a dispatcher. `0`: none.',
  }),
  otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', {
    protocols: ['http:', 'https:'],
    defaultText: 'no traces',
    text: 'OpenTelemetry collector that gets the traces of every role (OTLP over HTTP), for example `http://collector:4318`. The other `OTEL_` variables work as OpenTelemetry documents them. See docs/tracing.md.',
  }),
  metricsToken: secret(
    text('METRICS_TOKEN', {
      default: undefined,
      text: 'Bearer token for `/metrics`. Without it the api has no metrics, and a worker or dispatcher shows them to anyone who can reach its port.',
    }),
  ),
} as const satisfies Record<string, Descriptor<unknown>>;

import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from './metrics.js';

/** A response, or the end of a connection whose client did not wait for the response. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of the route, for example `/api/ai/enhance/:id`: never the path, which is unbounded. */
  readonly route: string;
  readonly status: number | 'aborted';
  /** Undefined when the client asked to wait, because the time then does not measure this service. */
  readonly seconds: number | undefined;
}

/** Requests to the API: rate, errors and duration by route. */
export class HttpMetrics {
  private readonly requests: Counter<'method' | 'route' | 'status'>;
  private readonly seconds: Histogram<'method' | 'route'>;
  private readonly inProgress: Gauge;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'ies_http_requests_total',
      help: 'Requests by route and status; "aborted": the client closed the connection first.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'ies_http_request_seconds',
      help: 'Time from the headers of a request to the end of its response, or to the start of a file, without requests that wait for a job.',
      labelNames: ['method', 'route'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
    this.inProgress = new Gauge({
      name: 'ies_http_requests_in_progress',
      help: 'Requests that have not been answered yet, those that wait for a job included.',
      registers,
    });
  }

  begin(): void {
    this.inProgress.inc();
  }

  end({ method, route, status, seconds }: AnsweredRequest): void {
    this.inProgress.dec();
    this.requests.inc({ method, route, status: String(status) });
    if (seconds !== undefined) this.seconds.observe({ method, route }, seconds);
  }
}

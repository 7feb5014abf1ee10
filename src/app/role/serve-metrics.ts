import type { LoggerService } from '@nestjs/common';
import type { Metrics } from '../../infra/telemetry/metrics.js';
import { MetricsServer } from '../../infra/telemetry/metrics-server.js';

export interface MetricsPort {
  readonly host: string;
  /** 0 disables the server. */
  readonly port: number;
  readonly token: string | undefined;
  /** Returns why the process is not ready; undefined when it is ready. */
  readonly notReady: () => Promise<string | undefined>;
}

/** Serves `/metrics` and health checks of a role without a public port. Undefined when no port is set. */
export function serveMetrics(
  role: string,
  metrics: Metrics,
  logger: LoggerService,
  port: MetricsPort,
): MetricsServer | undefined {
  if (port.port === 0) return undefined;
  return new MetricsServer(metrics, { ...port, warn: (text) => logger.warn(text, role) });
}

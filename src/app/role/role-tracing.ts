import { Logger } from '@nestjs/common';
import { openTracing } from '../../infra/telemetry/tracing/open-tracing.js';
import type { Tracing } from '../../infra/telemetry/tracing/tracing.js';
import type { RoleSettings } from '../../roles/role-settings.js';

/** Configures the tracing of a role. */
export function roleTracing({ role, config }: RoleSettings): Promise<Tracing> {
  const logger = new Logger('tracing');
  return openTracing({
    serviceName: `ies-${role}`,
    endpoint: config.otlpEndpoint,
    warn: (text) => logger.warn(text),
  });
}

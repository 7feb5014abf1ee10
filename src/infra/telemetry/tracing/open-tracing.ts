import { NoTracing } from './no-tracing.js';
import type { TracingSettings } from './tracing-settings.js';
import type { Tracing } from './tracing.js';

/**
 * Loads OpenTelemetry only when a collector is configured: otherwise it costs neither time nor memory.
 * @throws Error with a readable message when its packages are not installed
 */
export async function openTracing(settings: TracingSettings): Promise<Tracing> {
  if (settings.endpoint === undefined) return new NoTracing();
  const { OtelTracing } = await load();
  return new OtelTracing(settings);
}

async function load(): Promise<typeof import('./otel-tracing.js')> {
  try {
    return await import('./otel-tracing.js');
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages of OpenTelemetry are not installed: see docs/tracing.md.',
      { cause: error },
    );
  }
}

import { hostname } from 'node:os';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { formatTraceparent, parseTraceparent } from '../../../kernel/trace-parent.js';
import { VERSION } from '../../../kernel/version.js';
import type { TracingSettings } from './tracing-settings.js';
import { type Span, type SpanAttributes, type SpanKind, type SpanOptions, Tracing } from './tracing.js';
import { currentTraceparent } from './work-context.js';
import { errorText } from '../../../kernel/errors/error-text.js';

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
};

/** An unavailable collector logs one line a minute instead of one for each batch. */
const WARN_EVERY_MS = 60_000;

/** Spans for an OpenTelemetry collector. The SDK reads other OTEL_ variables (headers, sampler, batches) itself. */
export class OtelTracing extends Tracing {
  readonly isOn = true;
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor({ serviceName, warn }: TracingSettings) {
    super();
    warnOfFaults(warn);
    const own = resourceFromAttributes({
      'service.name': serviceName,
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
    });
    this.provider = new BasicTracerProvider({
      resource: own.merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    this.tracer = this.provider.getTracer('image-enhancement-service', VERSION);
  }

  start(name: string, { kind = 'internal', parent, attributes = {}, startMs }: SpanOptions = {}): Span {
    const from = parseTraceparent(parent === undefined ? currentTraceparent() : parent);
    const options = {
      kind: KINDS[kind],
      attributes: given(attributes),
      ...(startMs === undefined ? {} : { startTime: startMs }),
    };
    if (from === undefined) return new RecordedSpan(this.tracer.startSpan(name, options, ROOT_CONTEXT));
    const traceFlags = from.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    const context = trace.setSpanContext(ROOT_CONTEXT, { ...from, traceFlags, isRemote: true });
    return new RecordedSpan(this.tracer.startSpan(name, options, context));
  }

  async close(): Promise<void> {
    // Spans that cannot be sent at the end are lost, like those of any other batch.
    await this.provider.shutdown().catch(() => undefined);
  }
}

class RecordedSpan implements Span {
  readonly traceparent: string;

  constructor(private readonly span: OtelSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = formatTraceparent({
      traceId,
      spanId,
      isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
    });
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(given(attributes));
  }

  fail(error: unknown): void {
    const message = errorText(error);
    this.span.setStatus({ code: SpanStatusCode.ERROR, message });
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    this.span.setAttribute('error.type', code ?? (error instanceof Error ? error.name : 'unknown'));
  }

  end(endMs?: number): void {
    this.span.end(endMs);
  }
}

function given(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const entries = Object.entries(attributes).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

function warnOfFaults(warn: (text: string) => void): void {
  let quietUntilMs = 0;
  const say = (message: string): void => {
    if (performance.now() < quietUntilMs) return;
    quietUntilMs = performance.now() + WARN_EVERY_MS;
    warn(`traces could not be sent: ${message}`);
  };
  const silent = (): void => undefined;
  diag.setLogger(
    { error: say, warn: say, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

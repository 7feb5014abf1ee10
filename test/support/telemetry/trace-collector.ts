import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector receives it. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the first span of a trace. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Unix time in milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly isError: boolean;
}

/** The part of OTLP over HTTP in JSON that is needed here (https://opentelemetry.io/docs/specs/otlp/). */
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number | string;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
  };
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status?: { readonly code?: number };
}

const STATUS_ERROR = 2;

/** An OpenTelemetry collector on this machine that keeps every span. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  private readonly server = createServer((request, response) => void this.take(request, response));

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  of(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    this.spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString()) as OtlpRequest));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
}

function spansOf({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(service, span)));
  });
}

function collected(service: string, span: OtlpSpan): CollectedSpan {
  return {
    service,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId === '' ? undefined : span.parentSpanId,
    name: span.name,
    startMs: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
    endMs: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
    attributes: attributesOf(span.attributes),
    isError: span.status?.code === STATUS_ERROR,
  };
}

function attributesOf(attributes: readonly OtlpAttribute[]): CollectedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ??
        value.boolValue ??
        value.doubleValue ??
        (value.intValue === undefined ? '' : Number(value.intValue)),
    ]),
  );
}

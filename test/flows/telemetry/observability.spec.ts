import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { namedMetrics } from '../../support/telemetry/monitoring-files.js';
import { type CollectedSpan, TraceCollector } from '../../support/telemetry/trace-collector.js';
import { FlowWebhooks, WEBHOOK_ENV } from '../../support/webhooks/flow-webhooks.js';
import { type ReceivedRequest, WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

const TOKEN = 'what-prometheus-sends';
/** The span in the client's traceparent header. */
const CLIENT_SPAN = randomBytes(8).toString('hex');

/** Metrics without samples here (no GPU, nothing queued, refused, disabled, deleted or mailed), though registered. */
const SILENT_HERE =
  /^ies_(gpu_\w+|queue_\w+|model_refusals|webhook_endpoints_disabled_total|retention_deleted_rows|mail_attempts_total)$/;

/** Metrics that exist only with `REDIS_URL`; test/flows/jobs/redis-queue.spec.ts reads them. */
const NEEDS_REDIS = /^ies_redis_\w+$/;

const newTraceId = (): string => randomBytes(16).toString('hex');

describe('telemetry of one job', () => {
  let collector: TraceCollector;
  let receiver: WebhookReceiver;
  let service: FlowService;
  let webhooks: FlowWebhooks;
  let ports: { readonly worker: number; readonly dispatcher: number };

  beforeAll(async () => {
    [collector, receiver] = await Promise.all([TraceCollector.start(), WebhookReceiver.start()]);
    ports = { worker: await freePort(), dispatcher: await freePort() };
    service = await FlowService.start({
      env: {
        ...WEBHOOK_ENV,
        // Nothing is sent there.
        SMTP_URL: 'smtp://127.0.0.1:9',
        SMTP_FROM: 'mail@images.example',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_BSP_SCHEDULE_DELAY: '100',
        METRICS_TOKEN: TOKEN,
        WORKER_PORT: String(ports.worker),
        DISPATCHER_PORT: String(ports.dispatcher),
      },
    });
    webhooks = await FlowWebhooks.of(service);
    await webhooks.register(receiver.url('/hook'), ['enhancement.completed']);
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.down();
    await collector?.close();
  });

  /** Creates a job with this header and waits for its webhook. */
  async function enhanced(traceparent: string): Promise<{ id: string; hook: ReceivedRequest }> {
    const { url } = await webhooks.client.upload(await solidFile(48, 40, [90, 80, 70]));
    const order = { sourceUrl: url, operation: 'auto_enhance' };
    const answer = await webhooks.client.request('POST', '/api/ai/enhance', order, { traceparent });
    expect(answer.status).toBe(201);
    const id = answer.json['id'] as string;
    await webhooks.client.completed(id);
    const hook = await eventually(`the webhook of ${id}`, () => {
      const found = receiver.at('/hook').find(({ body }) => body.includes(id));
      return { found, seen: receiver.received.length };
    });
    return { id, hook };
  }

  /** Waits for the last span of each role. @returns every span of the trace, once no parent is missing */
  async function wholeTrace(traceId: string): Promise<CollectedSpan[]> {
    const needed = ['POST /api/ai/enhance', 'enhance auto_enhance', 'fan-out', 'webhook attempt'];
    return eventually(`the whole trace ${traceId}`, () => {
      const spans = collector.of(traceId);
      const names = new Set(spans.map(({ name }) => name));
      const known = new Set([CLIENT_SPAN, ...spans.map(({ spanId }) => spanId)]);
      const orphans = spans.filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''));
      const isWhole = needed.every((name) => names.has(name)) && orphans.length === 0;
      return isWhole ? { found: spans } : { seen: { names, orphans } };
    });
  }

  it('is one trace from the request to the webhook attempt, across three roles', async () => {
    const traceId = newTraceId();
    const { id, hook } = await enhanced(`00-${traceId}-${CLIENT_SPAN}-01`);
    const spans = await wholeTrace(traceId);
    const named = (name: string): CollectedSpan => {
      const found = spans.find((span) => span.name === name);
      expect(found, `${name} among ${spans.map((span) => span.name).join(', ')}`).toBeDefined();
      return found!;
    };
    const nameOf = (spanId: string | undefined): string | undefined =>
      spans.find((span) => span.spanId === spanId)?.name;

    expect(new Set(spans.map(({ service: of }) => of))).toEqual(
      new Set(['ies-api', 'ies-worker', 'ies-dispatcher']),
    );
    const request = named('POST /api/ai/enhance');
    expect(request).toMatchObject({ service: 'ies-api', parentSpanId: CLIENT_SPAN, isError: false });
    expect(request.attributes['http.response.status_code']).toBe(201);
    expect(nameOf(named('sql job_create').parentSpanId)).toBe(request.name);
    expect(nameOf(named('queue wait').parentSpanId)).toBe(request.name);

    const job = named('enhance auto_enhance');
    expect(job).toMatchObject({ service: 'ies-worker', parentSpanId: request.spanId, isError: false });
    expect(job.attributes).toMatchObject({ 'ies.job': id, 'ies.end': 'completed', 'ies.claim': 1 });
    const steps = ['load', 'decode', 'analyse', 'render', 'encode', 'thumbnail', 'store', 'complete'].map(
      named,
    );
    for (const step of steps) expect(step.parentSpanId, step.name).toBe(job.spanId);
    for (const [index, step] of steps.entries()) {
      expect(step.endMs, step.name).toBeGreaterThanOrEqual(step.startMs);
      if (index > 0) expect(step.startMs, step.name).toBeGreaterThanOrEqual(steps[index - 1]!.startMs);
    }
    const batches = spans.filter(({ name }) => name.startsWith('batch '));
    expect(new Set(batches.map(({ parentSpanId }) => nameOf(parentSpanId)))).toEqual(
      new Set(['analyse', 'render']),
    );
    expect(nameOf(named('sql job_complete').parentSpanId)).toBe('complete');

    expect(named('fan-out')).toMatchObject({
      service: 'ies-dispatcher',
      parentSpanId: named('complete').spanId,
    });
    const attempt = named('webhook attempt');
    expect(attempt).toMatchObject({
      service: 'ies-dispatcher',
      parentSpanId: named('complete').spanId,
      isError: false,
    });
    expect(attempt.attributes['http.response.status_code']).toBe(204);
    expect(hook.headers['traceparent']).toBe(`00-${traceId}-${attempt.spanId}-01`);
  });

  it('shows a failed webhook attempt as an error, next to the retry', async () => {
    const traceId = newTraceId();
    let refused = 0;
    receiver.answers.set('/hook', (_request, response) => {
      refused += 1;
      response.writeHead(refused === 1 ? 500 : 204).end();
    });
    await enhanced(`00-${traceId}-${CLIENT_SPAN}-01`);
    const attempts = await eventually('two attempts', () => {
      const found = collector.of(traceId).filter(({ name }) => name === 'webhook attempt');
      return found.length >= 2 ? { found } : { seen: found };
    });
    const ends = attempts.map(({ attributes, isError }) => [attributes['ies.attempt'], isError]);
    expect(ends.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [1, true],
      [2, false],
    ]);
    receiver.answers.delete('/hook');
  });

  it('ignores an invalid traceparent and starts a new trace', async () => {
    const hostile = `00-${'0'.repeat(32)}-${CLIENT_SPAN}-01`;
    const { id, hook } = await enhanced(hostile);
    const [row] = await service.database.rows<{ traceparent: string }>(
      'SELECT traceparent FROM jobs WHERE id = $1',
      [id],
    );
    expect(row!.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(row!.traceparent).not.toContain(CLIENT_SPAN);
    expect(String(hook.headers['traceparent']).slice(0, 35)).toBe(row!.traceparent.slice(0, 35));
  });

  it('includes one log line with the trace and the timings', async () => {
    const traceId = newTraceId();
    const { id } = await enhanced(`00-${traceId}-${CLIENT_SPAN}-01`);
    const lines = await eventually('the line of the job', () => {
      const found = service
        .role('worker')
        .log.split('\n')
        .filter((line) => line.includes(id) && line.includes('"job ended"'));
      return found.length > 0 ? { found } : { seen: service.role('worker').log.slice(-500) };
    });
    expect(lines).toHaveLength(1);
    const line = JSON.parse(lines[0]!) as Record<string, unknown>;
    expect(line).toMatchObject({
      traceId,
      jobId: id,
      status: 'completed',
      operation: 'auto_enhance',
      attempts: 1,
      level: 30,
      jobLevel: expect.any(String) as string,
    });
    for (const time of ['queuedMs', 'decodeMs', 'inferenceMs', 'encodeMs', 'totalMs'])
      expect(line[time], time).toEqual(expect.any(Number));
  });

  it('includes every metric that an alert or a panel uses', async () => {
    await enhanced(`00-${newTraceId()}-${CLIENT_SPAN}-01`);
    const addresses = [
      service.baseUrl,
      `http://127.0.0.1:${ports.worker}`,
      `http://127.0.0.1:${ports.dispatcher}`,
    ];
    const read = async (address: string): Promise<string> => {
      const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
      expect(answer.status, address).toBe(200);
      return answer.text();
    };
    const named = namedMetrics().filter((name) => !NEEDS_REDIS.test(name));
    expect(named.length).toBeGreaterThan(40);
    await eventually('every metric', async () => {
      const text = (await Promise.all(addresses.map(read))).join('\n');
      const types = new Map(
        [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]),
      );
      const base = (name: string): string => {
        const histogram = name.replace(/_(bucket|sum|count)$/, '');
        return types.get(histogram) === 'histogram' ? histogram : name;
      };
      const unknown = named.filter((name) => !types.has(base(name)));
      const samples = new Set([...text.matchAll(/^(\w+)[{ ]/gm)].map(([, name]) => name!));
      const silent = named.filter((name) => !samples.has(name) && !SILENT_HERE.test(name));
      return unknown.length + silent.length === 0 ? { found: true } : { seen: { unknown, silent } };
    });
  });

  it('comes from roles with health endpoints and protected metrics', async () => {
    for (const port of [ports.worker, ports.dispatcher]) {
      const base = `http://127.0.0.1:${port}`;
      expect((await fetch(`${base}/health/live`)).status).toBe(200);
      expect((await fetch(`${base}/health/ready`)).status).toBe(200);
      expect((await fetch(`${base}/metrics`)).status).toBe(401);
    }
  });
});

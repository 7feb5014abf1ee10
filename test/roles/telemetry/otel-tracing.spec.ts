import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TraceCollector } from '../../support/telemetry/trace-collector.js';
import { parseTraceparent } from '../../../src/kernel/trace-parent.js';
import { BatchSpans } from '../../../src/infra/telemetry/tracing/batch-spans.js';
import { OtelTracing } from '../../../src/infra/telemetry/tracing/otel-tracing.js';
import { currentTraceparent, inContext } from '../../../src/infra/telemetry/tracing/work-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('OtelTracing', () => {
  let collector: TraceCollector;
  const before = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];

  beforeAll(async () => {
    collector = await TraceCollector.start();
    // The exporter reads this variable itself.
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.endpoint;
  });
  afterAll(async () => {
    if (before === undefined) delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    else process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = before;
    await collector.close();
  });

  const open = (): OtelTracing =>
    new OtelTracing({ serviceName: 'ies-test', endpoint: collector.endpoint, warn: () => undefined });

  it('sends spans with their parents, times and failures on close', async () => {
    const tracing = open();
    const startMs = Date.now() - 5_000;
    await tracing.span(
      'outer',
      { parent: PARENT, attributes: { answer: 42, nothing: undefined } },
      async () => {
        tracing.start('waited', { startMs }).end();
        await expect(
          tracing.span('inner', { kind: 'client' }, () => Promise.reject(new RangeError('broken'))),
        ).rejects.toThrow('broken');
      },
    );
    await tracing.close();
    const spans = collector.of(TRACE);
    const named = (name: string) => spans.find((span) => span.name === name)!;
    const outer = named('outer');
    expect(outer).toMatchObject({
      service: 'ies-test',
      parentSpanId: parseTraceparent(PARENT)!.spanId,
      attributes: { answer: 42 },
      isError: false,
    });
    expect(named('waited')).toMatchObject({ parentSpanId: outer.spanId });
    expect(Math.round(named('waited').startMs)).toBe(startMs);
    expect(named('inner')).toMatchObject({
      parentSpanId: outer.spanId,
      isError: true,
      attributes: { 'error.type': 'RangeError' },
    });
  });

  it('does not record an unsampled trace, but propagates it', async () => {
    const tracing = open();
    const unsampled = `00-${'a'.repeat(32)}-00f067aa0ba902b7-00`;
    const inside = await tracing.span('any', { parent: unsampled }, async () => currentTraceparent());
    expect(parseTraceparent(inside)).toMatchObject({ traceId: 'a'.repeat(32), isSampled: false });
    await tracing.close();
    expect(collector.of('a'.repeat(32))).toEqual([]);
  });

  it('starts no trace for work outside of any trace', async () => {
    const tracing = open();
    expect(await tracing.within('sql', {}, async () => currentTraceparent())).toBeUndefined();
    await tracing.close();
  });

  it('records a batch in the trace of each of its jobs, at most a hundred times per span', async () => {
    const tracing = open();
    const batches = new BatchSpans(tracing);
    const [one, two] = ['b', 'c'].map((digit) => digit.repeat(32)) as [string, string];
    const originOf = (trace: string) =>
      inContext({ traceparent: `00-${trace}-00f067aa0ba902b7-01` }, () => batches.origin());
    const [first, second] = [originOf(one), originOf(two)];
    const batch = { stageId: 'x/1/tone', items: 3, startMs: 1_000, endMs: 1_200 };
    batches.record({ ...batch, origins: [first, first, second] });
    for (let more = 0; more < 150; more += 1) batches.record({ ...batch, items: 1, origins: [second] });
    await tracing.close();
    expect(collector.of(one)).toMatchObject([
      { name: 'batch x/1/tone', attributes: { 'ies.batch.items': 3, 'ies.batch.own_items': 2 } },
    ]);
    expect(collector.of(two)).toHaveLength(100);
    expect(batches.origin()).toBeUndefined();
  });
});

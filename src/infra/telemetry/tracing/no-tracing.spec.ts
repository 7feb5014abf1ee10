import { describe, expect, it } from 'vitest';
import { NoTracing } from './no-tracing.js';
import { currentTraceparent, inContext, logFields } from './work-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('NoTracing', () => {
  const tracing = new NoTracing();

  it('passes on the given trace, or the current one', async () => {
    expect(tracing.start('any', { parent: PARENT }).traceparent).toBe(PARENT);
    expect(inContext({ traceparent: PARENT }, () => tracing.start('any').traceparent)).toBe(PARENT);
    expect(inContext({ traceparent: PARENT }, () => tracing.start('any', { parent: null }).traceparent)).toBe(
      undefined,
    );
    const inside = await tracing.span('any', { parent: PARENT }, async () => currentTraceparent());
    expect(inside).toBe(PARENT);
  });

  it('returns what the work returns, and throws what it throws', async () => {
    expect(await tracing.span('any', {}, async () => 7)).toBe(7);
    expect(await tracing.within('any', {}, async () => 8)).toBe(8);
    await expect(tracing.span('any', {}, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
  });
});

describe('logFields', () => {
  it('are those of the current context', async () => {
    expect(logFields()).toEqual({});
    const context = { requestId: 'req_1', jobId: 'job_1', deliveryId: 'dlv_1', traceparent: PARENT };
    const later = await inContext(context, async () => {
      await Promise.resolve();
      return logFields();
    });
    expect(later).toEqual({ requestId: 'req_1', jobId: 'job_1', deliveryId: 'dlv_1', traceId: TRACE });
    expect(inContext({ requestId: 'req_2' }, logFields)).toEqual({ requestId: 'req_2' });
  });
});

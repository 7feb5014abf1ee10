import type { RunEnd } from '../infra/telemetry/job-metrics.js';
import type { Tracing } from '../infra/telemetry/tracing/tracing.js';
import { inContext } from '../infra/telemetry/tracing/work-context.js';
import type { JobRun } from './job-run.js';

/**
 * Runs a job as a part of the trace in which it was created, after a span for the time that it waited. Log lines
 * carry its id even without tracing.
 */
export function traceRun(
  tracing: Tracing,
  { job, claim, steps }: JobRun,
  work: () => Promise<RunEnd>,
): Promise<RunEnd> {
  const { id, traceparent: parent, operation, level, createdAt } = job;
  const attributes = {
    'ies.job': id,
    'ies.operation': operation,
    'ies.level': level,
    'ies.claim': claim,
    'ies.source_pixels': job.sourcePixels,
    'ies.model': steps.map(({ route: { model } }) => `${model.name}/${model.version}`).join(','),
    'ies.steps': steps.length,
  };
  // Later claims waited for less time, which is not recorded.
  if (claim === 1)
    tracing
      .start('queue wait', { parent, attributes: { 'ies.job': id }, startMs: createdAt.getTime() })
      .end();
  return inContext({ jobId: id }, () =>
    tracing.span(`enhance ${operation}`, { kind: 'consumer', parent, attributes }, async (span) => {
      const end = await work();
      span.set({ 'ies.end': end });
      if (end === 'failed') span.fail(new Error('the job failed'));
      return end;
    }),
  );
}

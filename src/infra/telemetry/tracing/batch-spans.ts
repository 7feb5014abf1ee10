import type { Tracing } from './tracing.js';
import { currentContext, type WorkContext } from './work-context.js';

/** A large image has thousands of tiles; at most this many batches of one span are recorded. */
const MAX_PER_SPAN = 100;

/** A batch with items of one or several jobs. Unix times in milliseconds. */
export interface RanBatch {
  readonly stageId: string;
  /** Items of all jobs. */
  readonly items: number;
  readonly startMs: number;
  readonly endMs: number;
  /** The values that `origin` returned for the items. */
  readonly origins: readonly unknown[];
}

/** Records a batch in the trace of each job that had items in it. */
export class BatchSpans {
  private readonly recorded = new WeakMap<WorkContext, number>();

  constructor(private readonly tracing: Tracing) {}

  /** The origin of an item: the span that is active when it is submitted. Undefined outside a trace. */
  origin(): WorkContext | undefined {
    if (!this.tracing.isOn) return undefined;
    const context = currentContext();
    return context.traceparent === undefined ? undefined : context;
  }

  record({ stageId, items, startMs, endMs, origins }: RanBatch): void {
    const ownItems = new Map<WorkContext, number>();
    for (const origin of origins as readonly (WorkContext | undefined)[])
      if (origin !== undefined) ownItems.set(origin, (ownItems.get(origin) ?? 0) + 1);
    for (const [origin, own] of ownItems) {
      const count = (this.recorded.get(origin) ?? 0) + 1;
      this.recorded.set(origin, count);
      if (count > MAX_PER_SPAN) continue;
      const attributes = { 'ies.stage': stageId, 'ies.batch.items': items, 'ies.batch.own_items': own };
      this.tracing
        .start(`batch ${stageId}`, { parent: origin.traceparent ?? null, attributes, startMs })
        .end(endMs);
    }
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { parseTraceparent } from '../../../kernel/trace-parent.js';

/** For whom something is done: stands in each line of the log, and is where new spans belong. */
export interface WorkContext {
  /** The span that is open; undefined outside of any trace. */
  readonly traceparent?: string | undefined;
  readonly requestId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly deliveryId?: string | undefined;
}

const current = new AsyncLocalStorage<WorkContext>();
const NONE: WorkContext = {};

/** Whatever `work` does, at once or later, is done in this context. */
export function inContext<T>(context: WorkContext, work: () => T): T {
  return current.run(context, work);
}

/** The context of what runs at this moment; empty outside of any. */
export function currentContext(): WorkContext {
  return current.getStore() ?? NONE;
}

/** The trace in which something happens, to be kept with it: see `WorkContext.traceparent`. */
export function currentTraceparent(): string | undefined {
  return currentContext().traceparent;
}

/** The fields that every line of the log gets. */
export function logFields(): Record<string, string> {
  const context = current.getStore();
  if (context === undefined) return {};
  const { requestId, jobId, deliveryId } = context;
  const traceId = parseTraceparent(context.traceparent)?.traceId;
  return {
    ...(traceId === undefined ? {} : { traceId }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(jobId === undefined ? {} : { jobId }),
    ...(deliveryId === undefined ? {} : { deliveryId }),
  };
}

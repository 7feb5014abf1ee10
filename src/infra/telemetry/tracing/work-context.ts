import { AsyncLocalStorage } from 'node:async_hooks';
import { parseTraceparent } from '../../../kernel/trace-parent.js';

/** The context of work: appears in each log line and is the parent of new spans. */
export interface WorkContext {
  /** The active span; undefined outside any trace. */
  readonly traceparent?: string | undefined;
  readonly requestId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly deliveryId?: string | undefined;
}

const current = new AsyncLocalStorage<WorkContext>();
const NONE: WorkContext = {};

/** Runs `work` in this context, including its asynchronous parts. */
export function inContext<T>(context: WorkContext, work: () => T): T {
  return current.run(context, work);
}

/** The current context; empty outside any context. */
export function currentContext(): WorkContext {
  return current.getStore() ?? NONE;
}

/** The current trace, to be stored with new rows: see `WorkContext.traceparent`. */
export function currentTraceparent(): string | undefined {
  return currentContext().traceparent;
}

/** The context's fields for log lines. */
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

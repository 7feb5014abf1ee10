import { type Span, type SpanOptions, Tracing } from './tracing.js';
import { currentTraceparent } from './work-context.js';

/** Records nothing, but still propagates traces, because a client's trace may continue at its webhook receivers. */
export class NoTracing extends Tracing {
  readonly isOn = false;

  start(_name: string, { parent }: SpanOptions = {}): Span {
    const traceparent = parent === undefined ? currentTraceparent() : (parent ?? undefined);
    return { traceparent, set: () => undefined, fail: () => undefined, end: () => undefined };
  }

  async close(): Promise<void> {
    // Nothing was recorded.
  }
}

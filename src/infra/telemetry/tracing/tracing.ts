import { currentContext, inContext } from './work-context.js';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** Default: internal. */
  readonly kind?: SpanKind;
  /** The `traceparent` that the span continues; null starts a new trace. Default: the trace of the current context. */
  readonly parent?: string | null | undefined;
  readonly attributes?: SpanAttributes;
  /** Unix time in milliseconds, for a span that is recorded afterward. Default: now. */
  readonly startMs?: number;
}

/** A unit of work in a trace. */
export interface Span {
  /** For work that continues the trace elsewhere. Without tracing, this is the parent's `traceparent`. */
  readonly traceparent: string | undefined;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. */
  fail(error: unknown): void;
  /** @param endMs Unix time in milliseconds; default: now */
  end(endMs?: number): void;
}

/** Creates spans. An abstract class, because it is also the injection token of the implementation. */
export abstract class Tracing {
  /** False: spans are discarded, so callers need not prepare them. */
  abstract readonly isOn: boolean;

  /** Starts a span that the caller ends. */
  abstract start(name: string, options?: SpanOptions): Span;

  /** Sends ended spans that have not been sent yet. */
  abstract close(): Promise<void>;

  /** Runs `work` in a span, which contains its child spans and logs. @throws errors of `work` */
  async span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.start(name, options);
    // Without tracing the context is already correct, unless a parent was given.
    if (!this.isOn && options.parent === undefined) return work(span);
    try {
      return await inContext({ ...currentContext(), traceparent: span.traceparent }, () => work(span));
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** Like `span`, but only as part of a trace: background work starts no traces. */
  within<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    if (!this.isOn || currentContext().traceparent === undefined) return work();
    return this.span(name, options, work);
  }
}

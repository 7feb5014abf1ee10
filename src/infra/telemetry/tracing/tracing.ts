import { currentContext, inContext } from './work-context.js';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** Default: internal. */
  readonly kind?: SpanKind;
  /** The `traceparent` that it continues; null: a new trace. Default: that of the current context. */
  readonly parent?: string | null | undefined;
  readonly attributes?: SpanAttributes;
  /** Unix time in milliseconds, for a span that is told afterward. Default: now. */
  readonly startMs?: number;
}

/** A piece of work in a trace. */
export interface Span {
  /** For what continues the trace elsewhere. Without tracing it is that of the parent. */
  readonly traceparent: string | undefined;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. */
  fail(error: unknown): void;
  /** @param endMs Unix time in milliseconds; default: now */
  end(endMs?: number): void;
}

/** Makes spans. An abstract class, because it is also the token under which an implementation is injected. */
export abstract class Tracing {
  /** False: spans go nowhere, and nothing need be prepared for them. */
  abstract readonly isOn: boolean;

  /** Begins a span that the caller ends. */
  abstract start(name: string, options?: SpanOptions): Span;

  /** Sends what has ended and was not sent yet. */
  abstract close(): Promise<void>;

  /** Does `work` as a span: what it does, logs and keeps belongs to it. @throws what `work` throws */
  async span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.start(name, options);
    // Without tracing the context is already the right one, unless a parent was named.
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

  /** As `span`, but only as a part of a trace: work that nobody asked for makes no traces of its own. */
  within<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    if (!this.isOn || currentContext().traceparent === undefined) return work();
    return this.span(name, options, work);
  }
}

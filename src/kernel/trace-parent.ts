/** Where a trace continues: the parsed `traceparent` header of W3C Trace Context. */
export interface TraceParent {
  /** 32 lowercase hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 lowercase hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** Whether the sender records this trace. */
  readonly isSampled: boolean;
}

/** `version-traceid-spanid-flags`; a later version may append more (https://www.w3.org/TR/trace-context/#traceparent-header). */
const FORMAT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[!-~]*)?$/;
const MAX_LENGTH = 128;
const SAMPLED = 1;

/**
 * Parses a `traceparent` from an untrusted client.
 * @returns undefined when invalid; the header is then ignored
 */
export function parseTraceparent(header: unknown): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, version, traceId, spanId, flags, more] = FORMAT.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;
  return {
    traceId: traceId!,
    spanId: spanId!,
    isSampled: (Number.parseInt(flags!, 16) & SAMPLED) === SAMPLED,
  };
}

/** The header in version 00, the only version that is written. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

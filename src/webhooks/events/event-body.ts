import type { AnyEventType } from './event-types.js';

/** Maximum body size, below 20 kB, so that receivers can read it at once. */
export const MAX_BODY_BYTES = 20_000;

/** An event in the outbox. */
export interface KeptEvent {
  readonly id: string;
  readonly type: AnyEventType;
  readonly createdAt: Date;
  /** False for an event of test mode. */
  readonly livemode: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The body of every attempt: always the same bytes, at most `MAX_BODY_BYTES`. Only the metadata of a job or batch can
 * exceed that (20 pairs of 540 characters, each up to six bytes when escaped): the largest pairs are left out until
 * the rest fits, and `metadataShortened: true` is set.
 */
export function eventBody(event: KeptEvent): string {
  const whole = render(event, event.data);
  if (Buffer.byteLength(whole) <= MAX_BODY_BYTES) return whole;
  const [name, subject] = Object.entries(event.data)[0] ?? ['', undefined];
  if (!hasMetadata(subject)) return whole;
  const without = { ...subject, metadata: {}, metadataShortened: true };
  const roomBytes = MAX_BODY_BYTES - Buffer.byteLength(render(event, { [name]: without }));
  return render(event, { [name]: { ...without, metadata: smallestPairs(subject.metadata, roomBytes) } });
}

function render(event: KeptEvent, data: Readonly<Record<string, unknown>>): string {
  const { id, type, createdAt, livemode } = event;
  return JSON.stringify({ id, type, createdAt: createdAt.toISOString(), livemode, data });
}

function hasMetadata(subject: unknown): subject is { readonly metadata: Readonly<Record<string, string>> } {
  return (
    typeof subject === 'object' &&
    subject !== null &&
    'metadata' in subject &&
    typeof subject.metadata === 'object'
  );
}

/** As many pairs as fit, smallest first, in their original order. */
function smallestPairs(
  metadata: Readonly<Record<string, string>>,
  roomBytes: number,
): Record<string, string> {
  const sized = Object.entries(metadata).map(([name, value]) => ({
    name,
    // Quotes, colon and comma included.
    bytes: Buffer.byteLength(JSON.stringify(name)) + Buffer.byteLength(JSON.stringify(value)) + 2,
  }));
  const kept = new Set<string>();
  let leftBytes = roomBytes;
  for (const { name, bytes } of sized.toSorted((a, b) => a.bytes - b.bytes)) {
    if (bytes > leftBytes) break;
    leftBytes -= bytes;
    kept.add(name);
  }
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => kept.has(name)));
}

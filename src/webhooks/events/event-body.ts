import type { EventType } from './event-types.js';

/** What a receiver gets: under 20 kB, so that it can read it whole without a thought. */
export const MAX_BODY_BYTES = 20_000;

/** An event as the outbox keeps it. */
export interface KeptEvent {
  readonly id: string;
  readonly type: EventType;
  readonly createdAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The body of every attempt at an event: the same bytes each time, at most `MAX_BODY_BYTES` of them. Only the
 * metadata of a job can be larger (20 pairs of 540 characters, each up to six bytes when escaped): then its
 * largest pairs are left out until the rest fits, and `metadataShortened: true` says so.
 */
export function eventBody(event: KeptEvent): string {
  const whole = render(event, event.data);
  const job = event.data['job'];
  if (Buffer.byteLength(whole) <= MAX_BODY_BYTES || !hasMetadata(job)) return whole;
  const without = { ...job, metadata: {}, metadataShortened: true };
  const roomBytes = MAX_BODY_BYTES - Buffer.byteLength(render(event, { ...event.data, job: without }));
  return render(event, {
    ...event.data,
    job: { ...without, metadata: smallestPairs(job.metadata, roomBytes) },
  });
}

function render(event: KeptEvent, data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ id: event.id, type: event.type, createdAt: event.createdAt.toISOString(), data });
}

function hasMetadata(job: unknown): job is { readonly metadata: Readonly<Record<string, string>> } {
  return typeof job === 'object' && job !== null && 'metadata' in job && typeof job.metadata === 'object';
}

/** As many pairs as fit, the smallest first, in the order they had. */
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

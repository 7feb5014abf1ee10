import { randomFillSync } from 'node:crypto';

/** Prefix of each kind of id, which makes ids readable in logs and mix-ups visible. */
export const ID_PREFIXES = {
  account: 'acc',
  /** The test mode of an account, see `livemode.ts`. */
  testAccount: 'test',
  key: 'key',
  source: 'src',
  directUpload: 'upl',
  job: 'job',
  batch: 'bat',
  event: 'evt',
  invitation: 'inv',
  planRequest: 'plr',
  webhookEndpoint: 'we',
  delivery: 'dlv',
  shareLink: 'shr',
  mail: 'mail',
  comparison: 'cmp',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

const random = Buffer.alloc(16);
/** How far ids may be ahead of the clock; if they are further ahead, the clock was wrong. */
const MAX_LEAD_MS = 3_600_000;
let lastMs = 0;
let sequence = 0;

/**
 * A new id: prefix, underscore, and the 32 hex digits of a UUIDv7 (RFC 9562). Within one process ids are
 * strictly increasing (the 12 bits after the version count within a millisecond, §6.2 method 1), so sorting
 * by id is sorting by creation. Only a clock that is set back by more than an hour resets them; otherwise ids
 * would be dated ahead until the clock catches up.
 */
export function newId(kind: IdKind, nowMs: number = Date.now()): string {
  randomFillSync(random);
  if (nowMs > lastMs || lastMs - nowMs > MAX_LEAD_MS) {
    lastMs = nowMs;
    sequence = random.readUInt16BE(6) & 0x07ff;
  } else if (++sequence > 0x0fff) {
    lastMs += 1;
    sequence = 0;
  }
  random.writeUIntBE(lastMs, 0, 6);
  random.writeUInt16BE(0x7000 | sequence, 6);
  random[8] = (random[8]! & 0x3f) | 0x80;
  return `${ID_PREFIXES[kind]}_${random.toString('hex')}`;
}

/** The lowest id of a millisecond: older ids sort before it, as far as clocks agree. */
export function lowestIdOf(kind: IdKind, ms: number): string {
  const time = Math.min(Math.max(0, Math.floor(ms)), 2 ** 48 - 1);
  return `${ID_PREFIXES[kind]}_${time.toString(16).padStart(12, '0')}${'0'.repeat(20)}`;
}

/** Whether `text` has the shape of an id of this kind. */
export function isId(kind: IdKind, text: string): boolean {
  return text.startsWith(`${ID_PREFIXES[kind]}_`) && /^[a-z]+_[0-9a-f]{32}$/.test(text);
}

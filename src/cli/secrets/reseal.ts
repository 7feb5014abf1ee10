import type { Queryable } from '../../infra/database/database.js';
import { SealError, type SecretBox } from '../../infra/sealing/secret-box.js';
import { SEALED_COLUMNS, type SealedRow } from './sealed-columns.js';

/** Numbers of sealed values by the key that opens them. */
export interface SealedCounts {
  /** One number for each key, newest first. */
  readonly byKey: readonly number[];
  /** Values that no key opens: sealed with a lost key, or altered. */
  readonly unreadable: number;
}

/** Counts the values that each key has sealed. Reads every sealed value, in batches. */
export async function countSealed(on: Queryable, box: SecretBox, keys: number): Promise<SealedCounts> {
  const byKey = Array.from({ length: keys }, () => 0);
  let unreadable = 0;
  for await (const { sealed, context } of sealedRows(on)) {
    for (const value of sealed) {
      const index = indexOf(box, value, context);
      if (index === undefined) unreadable += 1;
      else byKey[index]! += 1;
    }
  }
  return { byKey, unreadable };
}

/** Roles may seal with an older key until they see the new one, so later passes check again. */
const MAX_PASSES = 5;

/**
 * Seals every value of an older key with the newest one. Each row is written in its own transaction, so the work can be
 * interrupted and repeated. The next pass handles rows that change in the meantime.
 * @returns the number of resealed rows
 */
export async function resealAll(on: Queryable, box: SecretBox): Promise<number> {
  let resealed = 0;
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    let missed = 0;
    for await (const row of sealedRows(on)) {
      if (!needsReseal(box, row)) continue;
      if (await row.reseal(on, box)) resealed += 1;
      else missed += 1;
    }
    if (missed === 0) break;
  }
  return resealed;
}

async function* sealedRows(on: Queryable): AsyncGenerator<SealedRow> {
  for (const place of SEALED_COLUMNS) {
    let after: readonly string[] | undefined = place.start;
    while (after !== undefined) {
      const { rows, next } = await place.read(on, after);
      yield* rows;
      after = next;
    }
  }
}

/** False for a row with a value that no key opens, which cannot be resealed. */
function needsReseal(box: SecretBox, { sealed, context }: SealedRow): boolean {
  const indexes = sealed.map((value) => indexOf(box, value, context));
  return !indexes.includes(undefined) && indexes.some((index) => index !== 0);
}

function indexOf(box: SecretBox, value: Uint8Array, context: string): number | undefined {
  try {
    return box.keyIndex(value, context);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

import type { Queryable } from './database.js';

/** One statement changes at most this many rows, in a fraction of a second, so that none reaches its time limit. */
export const KEYS_PER_BATCH = 2_000;

/**
 * Reads keys in batches, in an open transaction. A cursor reads the rows once: with `LIMIT` instead, every batch would
 * read again what the earlier ones deleted. Rows that are written later are not read.
 * @param select one text column named `key`
 */
export async function inKeyBatches(
  tx: Queryable,
  select: string,
  values: readonly unknown[],
  work: (keys: readonly string[]) => Promise<unknown>,
): Promise<void> {
  await tx.query(`DECLARE key_batches NO SCROLL CURSOR FOR ${select}`, values);
  for (;;) {
    const rows = await tx.query<{ key: string }>(`FETCH ${KEYS_PER_BATCH} FROM key_batches`);
    if (rows.length > 0) await work(rows.map(({ key }) => key));
    if (rows.length < KEYS_PER_BATCH) break;
  }
  await tx.query('CLOSE key_batches');
}

import { AppError } from '../../kernel/app-error.js';
import { type IdKind, isId } from '../../kernel/ids.js';

/** One page of any list, newest first. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
  /** Send it as `cursor` for the next page; null on the last page. */
  readonly nextCursor: string | null;
}

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

/** Creates a page from at most `limit` + 1 rows. */
export function pageOf<Row extends { readonly id: string }, T>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const last = shown.at(-1);
  return {
    data: shown.map(present),
    hasMore,
    nextCursor: hasMore && last !== undefined ? Buffer.from(last.id).toString('base64url') : null,
  };
}

/** The id after which a page begins. @throws AppError `invalid_cursor` */
export function readCursor(kind: IdKind, cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!isId(kind, id)) throw new AppError('invalid_cursor');
  return id;
}

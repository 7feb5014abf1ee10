import { AppError } from '../../kernel/app-error.js';
import type { Page } from '../../common/lists/pagination.js';
import type { JobDto } from '../../common/resources/job.dto.js';

/** A page of the items of a batch, in order, from at most `limit` + 1 of them. */
export function itemPageOf(items: readonly JobDto[], limit: number): Page<JobDto> {
  const data = items.slice(0, limit);
  const hasMore = items.length > limit;
  const nextCursor = hasMore ? Buffer.from(`item ${data.at(-1)!.batchIndex}`).toString('base64url') : null;
  return { data, hasMore, nextCursor };
}

/** The position after which a page begins. @throws AppError `invalid_cursor` */
export function readItemCursor(cursor: string): number {
  const [, index] = /^item (\d{1,4})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (index === undefined) throw new AppError('invalid_cursor');
  return Number(index);
}

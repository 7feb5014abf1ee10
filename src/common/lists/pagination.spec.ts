import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/app-error.js';
import { newId } from '../../kernel/ids.js';
import { pageOf, readCursor } from './pagination.js';

const rows = Array.from({ length: 5 }, () => ({ id: newId('job') })).toReversed();
const asIs = (row: { id: string }): string => row.id;

describe('pageOf', () => {
  it('returns at most the limit, and reports more when one extra row was read', () => {
    const page = pageOf(rows, 4, asIs);
    expect(page.data).toEqual(rows.slice(0, 4).map(asIs));
    expect(page.hasMore).toBe(true);
    expect(readCursor('job', page.nextCursor!)).toBe(rows[3]!.id);
  });

  it.each([5, 6, 100])('is the last page when no more than %i rows were read', (limit) => {
    const page = pageOf(rows, limit, asIs);
    expect(page).toEqual({ data: rows.map(asIs), hasMore: false, nextCursor: null });
  });

  it('may be empty', () => {
    expect(pageOf([], 20, asIs)).toEqual({ data: [], hasMore: false, nextCursor: null });
  });
});

describe('readCursor', () => {
  const cursorOf = (text: string): string => Buffer.from(text).toString('base64url');

  it.each([
    '',
    'x',
    newId('job'),
    cursorOf(newId('source')),
    cursorOf(`${newId('job')} `),
    cursorOf(newId('job').slice(1)),
    cursorOf("job_' OR true --"),
  ])('refuses %j', (cursor) => {
    expect(() => readCursor('job', cursor)).toThrow(AppError);
    expect(() => readCursor('job', cursor)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });
});

import { describe, expect, it } from 'vitest';
import { mergeNewest } from './merge-newest.js';

const page = (ids: readonly string[], nextCursor: string | null, state = 'old') => ({
  data: ids.map((id) => ({ id, state })),
  hasMore: nextCursor !== null,
  nextCursor,
});
const loaded = {
  pages: [page(['6', '5'], 'a'), page(['4', '3'], 'b')],
  pageParams: [null, 'a'],
};
const idsOf = (data: ReturnType<typeof mergeNewest>) =>
  data.pages.map(({ data: items }) => items.map(({ id }) => id));

describe('mergeNewest', () => {
  it('puts new items first, updates known ones, and keeps older pages unchanged', () => {
    const merged = mergeNewest(loaded, page(['7', '6', '5'], 'x', 'new'));
    expect(idsOf(merged)).toEqual([
      ['7', '6', '5'],
      ['4', '3'],
    ]);
    expect(merged.pages[0]?.data.map(({ state }) => state)).toEqual(['new', 'new', 'new']);
    expect(merged.pages[1]).toEqual(loaded.pages[1]);
  });

  it('drops items deleted within the span of the newest page, and none below it', () => {
    expect(idsOf(mergeNewest(loaded, page(['6', '4'], 'x')))).toEqual([['6'], ['4', '3']]);
  });

  it('treats a newest page that is the last as the whole list', () => {
    expect(idsOf(mergeNewest(loaded, page(['6'], null)))).toEqual([['6'], []]);
    expect(idsOf(mergeNewest(loaded, page([], null)))).toEqual([[], []]);
  });

  it('starts over when there are more new items than fit on the newest page', () => {
    const newest = page(['9', '8'], 'x');
    expect(mergeNewest(loaded, newest)).toEqual({ pages: [newest], pageParams: [null] });
    const empty = { pages: [page([], null)], pageParams: [null] };
    expect(mergeNewest(empty, newest)).toEqual({ pages: [newest], pageParams: [null] });
  });

  it('continues where the loaded list ended', () => {
    const merged = mergeNewest(loaded, page(['7', '6'], 'x'));
    expect(merged.pages.at(-1)?.nextCursor).toBe('b');
    expect(merged.pageParams).toEqual([null, 'a']);
  });
});

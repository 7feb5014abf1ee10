import { describe, expect, it } from 'vitest';
import { mergeNewest, mergePage } from './merge-newest.js';

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

  it('starts over where the newest page reaches below the list, so that nothing is listed twice', () => {
    const short = { pages: [page(['6', '5', '4'], '4')], pageParams: [null] };
    const newest = page(['6', '4', '3'], '3');
    expect(mergeNewest(short, newest)).toEqual({ pages: [newest], pageParams: [null] });
  });

  it('inserts items that appear late where a reload would show them', () => {
    const gaps = { pages: [page(['8', '6'], 'a'), page(['4', '2'], 'b')], pageParams: [null, 'a'] };
    expect(idsOf(mergeNewest(gaps, page(['9', '8', '7', '6', '5', '4', '3'], 'x')))).toEqual([
      ['9', '8', '7', '6', '5'],
      ['4', '3', '2'],
    ]);
  });

  it('treats a newest page that is the last as the whole list', () => {
    expect(idsOf(mergeNewest(loaded, page(['6'], null)))).toEqual([['6']]);
    expect(idsOf(mergeNewest(loaded, page([], null)))).toEqual([[]]);
    expect(mergeNewest(loaded, page(['6'], null)).pages.at(-1)?.nextCursor).toBeNull();
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

describe('mergePage', () => {
  it('updates and drops items within the span of the page only', () => {
    const merged = mergePage(loaded, page(['4'], 'x', 'new'), '5');
    expect(idsOf(merged)).toEqual([
      ['6', '5'],
      ['4', '3'],
    ]);
    expect(merged.pages[1]?.data.map(({ state }) => state)).toEqual(['new', 'old']);
    expect(idsOf(mergePage(loaded, page(['3'], 'x'), '5'))).toEqual([['6', '5'], ['3']]);
    expect(idsOf(mergePage(loaded, page([], null), '5'))).toEqual([['6', '5'], []]);
  });

  it('leaves out items below the list, which come when more is loaded', () => {
    expect(idsOf(mergePage(loaded, page(['4', '2'], 'x'), '5'))).toEqual([['6', '5'], ['4']]);
  });

  it('adds items at the end of a list that is complete', () => {
    const complete = { pages: [page(['6', '5'], 'a'), page(['4'], null)], pageParams: [null, 'a'] };
    expect(idsOf(mergePage(complete, page(['4', '2'], null), '5'))).toEqual([
      ['6', '5'],
      ['4', '2'],
    ]);
  });
});

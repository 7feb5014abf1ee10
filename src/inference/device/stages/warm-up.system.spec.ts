import { describe, expect, it } from 'vitest';
import type { Feed } from '../testing/watched-engine.js';
import {
  edge,
  expectTheSame,
  items,
  OUT_OF_MEMORY,
  ref,
  type Stage,
  stage,
} from '../testing/watched-stage.js';

describe('a StageRunner that warms every shape', () => {
  it('learns at warm-up which sizes fit into memory, and tries the others ten minutes later', async () => {
    let [nowMs, most] = [0, 4];
    const { runner, engine, reports } = await stage(
      ({ batch }) => (batch > most ? OUT_OF_MEMORY : undefined),
      undefined,
      () => nowMs,
    );
    await runner.warmEveryShape();
    expect(runner.lowered).toEqual({ stageId: ref.id, size: 4, of: 8 });
    const warmed = engine.feeds.length;
    nowMs = 599_999;
    expectTheSame(await runner.run(items));
    expect(engine.feeds.slice(warmed).map(({ batch }) => batch)).toEqual([4, 4]);
    expect(reports.map(({ end }) => end)).toEqual(['done', 'done']);
    // The process that used the memory has ended.
    [nowMs, most] = [600_000, 8];
    expectTheSame(await runner.run(items));
    expect(engine.feeds.slice(warmed + 2).map(({ batch }) => batch)).toEqual([8]);
  });

  it('still divides tiles if only their warm-up ran out of memory', async () => {
    let isShort = true;
    const { runner, engine } = await stage((feed) => {
      if (isShort) return feed.edge === edge ? undefined : OUT_OF_MEMORY;
      return feed.edge === edge ? OUT_OF_MEMORY : undefined;
    });
    await runner.warmEveryShape();
    expect(runner.lowered).toBeUndefined();
    isShort = false;
    const warmed = engine.feeds.length;
    expectTheSame(await runner.run(items));
    expect(engine.feeds.slice(warmed).filter((feed) => feed.edge !== edge)).toHaveLength(4 * items.length);
  });

  describe('for a graph that keeps one shape', () => {
    /** Much longer than a run of eight small tiles, even on a busy machine. */
    const SLOW_MS = 1_000;

    const measuredAt = (size: number): readonly number[] => [size, 1, size];

    /** A runner that is warm, and the sizes of its runs since. */
    async function warm(
      changeMs: number,
      refuse?: (feed: Feed) => string | undefined,
    ): Promise<Stage & { readonly sizes: () => readonly number[] }> {
      const made = await stage(refuse, changeMs);
      await made.runner.warmEveryShape();
      const warmed = made.engine.feeds.length;
      return { ...made, sizes: () => made.engine.feeds.slice(warmed).map(({ batch }) => batch) };
    }

    it('pads every batch to the largest size, in the shape of the last warm-up', async () => {
      const { runner, engine, reports, sizes } = await warm(SLOW_MS);
      const last = engine.feeds.at(-1)!.shapes;
      expectTheSame([...(await runner.run(items.slice(0, 1))), ...(await runner.run(items.slice(1)))]);
      expect(sizes()).toEqual([8, 8]);
      expect(reports).toMatchObject([
        { items: 1, size: 8 },
        { items: 6, size: 8 },
      ]);
      expect(new Set(engine.feeds.slice(-2).map(({ shapes }) => shapes))).toEqual(new Set([last]));
    });

    it('uses the largest size that fits into memory', async () => {
      const { runner, engine, sizes } = await warm(SLOW_MS, ({ batch }) =>
        batch > 2 ? OUT_OF_MEMORY : undefined,
      );
      expect(engine.feeds.map(({ batch }) => batch)).toEqual([8, 4, 2, 2, 2, 1, 2]);
      expectTheSame(await runner.run(items));
      expect(sizes()).toEqual([2, 2, 2, 2]);
    });

    it('halves the padded batch of a single item when memory is short', async () => {
      let most = 8;
      const { runner, sizes } = await warm(SLOW_MS, ({ batch }) =>
        batch > most ? OUT_OF_MEMORY : undefined,
      );
      most = 1;
      const [outcome] = await runner.run(items.slice(0, 1));
      expect(outcome).toMatchObject({ ok: true });
      expect(sizes()).toEqual([8, 4, 2, 1]);
    });

    it('does not pad when a run in a new shape takes less time', async () => {
      const { runner, sizes } = await warm(0);
      expect(await runner.run(items.slice(0, 1))).toMatchObject([{ ok: true }]);
      expectTheSame(await runner.run(items));
      expect(sizes()).toEqual([1, 8]);
    });

    describe('and did not fit in its largest size', () => {
      const CHANGE_MS = 500;
      const FREE_AT_MS = 1_800_000;

      /** A runner that is warm in sizes up to `fits`, half an hour before all memory is free. */
      async function lowered(
        fits: number,
        { itemMs = 0, refuse }: { itemMs?: number; refuse?: (feed: Feed) => string | undefined } = {},
      ): Promise<Stage & { readonly sizes: () => readonly number[] }> {
        let [nowMs, most] = [0, fits];
        const made = await stage(
          (feed) => (feed.batch > most ? OUT_OF_MEMORY : refuse?.(feed)),
          CHANGE_MS,
          () => nowMs,
        );
        made.engine.itemMs = itemMs;
        await made.runner.warmEveryShape();
        const warmed = made.engine.feeds.length;
        [nowMs, most] = [FREE_AT_MS, 8];
        return { ...made, sizes: () => made.engine.feeds.slice(warmed).map(({ batch }) => batch) };
      }

      it('measures once a larger size has run, and then keeps that shape', async () => {
        const { runner, reports, sizes } = await lowered(1);
        expectTheSame([...(await runner.run(items.slice(0, 5))), ...(await runner.run(items.slice(5)))]);
        expect(await runner.run(items.slice(0, 1))).toMatchObject([{ ok: true }]);
        expect(sizes()).toEqual([4, ...measuredAt(4), 4, 4, 4]);
        expect(reports.map(({ items: count, size }) => [count, size])).toEqual([
          [4, 4],
          [1, 4],
          [2, 4],
          [1, 4],
        ]);
      });

      it('pads to the smaller size until then, and no more if the larger one takes longer', async () => {
        const { runner, sizes } = await lowered(2, { itemMs: 150 });
        expect(await runner.run(items.slice(0, 1))).toMatchObject([{ ok: true }]);
        expectTheSame(await runner.run(items));
        expect(await runner.run(items.slice(0, 1))).toMatchObject([{ ok: true }]);
        expect(sizes()).toEqual([2, 8, ...measuredAt(8), 1]);
      });

      it.each([OUT_OF_MEMORY, 'CUDA failure 700'])(
        'returns the results of a larger size, and stays with the smaller one, if measuring ends with %s',
        async (text) => {
          let runs = 0;
          const refuse = ({ batch }: Feed) => (batch === 8 && ++runs > 1 ? text : undefined);
          const { runner, sizes } = await lowered(2, { refuse });
          expectTheSame(await runner.run(items));
          expect(await runner.run(items.slice(0, 1))).toMatchObject([{ ok: true }]);
          expect(sizes()).toEqual([8, 8, 2]);
        },
      );
    });

    it('measures after the first batch if the memory was too short for it at warm-up', async () => {
      let isShort = true;
      const { runner, sizes } = await warm(SLOW_MS, ({ batch }) =>
        isShort && batch === 1 ? OUT_OF_MEMORY : undefined,
      );
      isShort = false;
      expectTheSame(await runner.run(items));
      expect(await runner.run(items.slice(0, 1))).toMatchObject([{ ok: true }]);
      expect(sizes()).toEqual([8, ...measuredAt(8), 8]);
    });
  });
});

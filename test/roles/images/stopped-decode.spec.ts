import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { avifOfTiles } from '../../../src/infra/image/testing/avif-grid.js';
import { jpegOfScans } from '../../../src/infra/image/testing/progressive-jpeg.js';
import { slowPng } from '../../../src/infra/image/testing/slow-png.js';
import { photo } from '../../../src/infra/image/testing/still-images.js';
import { busy, DecoderFixture } from '../../support/roles/decoder-fixture.js';
import { isAlive } from '../../support/roles/flow-processes.js';

const LIMITS = { maxPixels: 50_000_000, expectedPixels: 49_000_000 };

let fixture: DecoderFixture;
beforeEach(async () => {
  fixture = await DecoderFixture.make();
});
afterEach(() => fixture.close());

const caught = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe.skipIf(process.platform !== 'linux')('a stopped decode', () => {
  it.each([
    ['a progressive JPEG of 100 scans', () => jpegOfScans(7_000, 7_000, 100)],
    ['an interlaced PNG', () => slowPng()],
    ['an AVIF of 169 tiles', () => avifOfTiles({ tileSide: 512, columns: 13, rows: 13 })],
  ])('ends its process at once and makes room for the next one: %s', async (_, make) => {
    const file = await make();
    const decoder = fixture.open();
    await decoder.pool.warm();
    const first = await fixture.process();
    const { signal, stop } = stoppable();
    const asked = caught(decoder.decodeToFile(file, fixture.target(), { ...LIMITS, signal }));
    const next = decoder.decodeToFile(await photo(60, 40, 'png'), fixture.target('next.tif'), LIMITS);
    await busy(first);
    const reason = stop('the job was canceled');
    expect(await asked).toBe(reason);
    const pixels = await next;
    expect(isAlive(first)).toBe(false);
    expect(pixels).toMatchObject({ width: 60, height: 40 });
    await pixels.remove();
    expect(await readdir(fixture.dataDir, { recursive: true })).toEqual([
      'scratch',
      'secrets.json',
      'scratch/decoder-2',
    ]);
  });

  it('leaves the queue if it is waiting, and never joins it if it is already stopped', async () => {
    const decoder = fixture.open({ maxWaiting: 1 });
    const [first, second] = [stoppable(), stoppable()];
    const decode = (signal: AbortSignal) =>
      caught(decoder.decodeToFile(slowPng(), fixture.target(), { ...LIMITS, signal }));
    const asked = decode(first.signal);
    const waiting = decode(second.signal);
    expect(await decode(stoppable().signal)).toMatchObject({ code: 'service_unavailable' });
    const gone = second.stop('gone');
    expect(await waiting).toBe(gone);
    expect(await decode(second.signal)).toBe(gone);
    const next = decoder.decodeToFile(await photo(60, 40, 'png'), fixture.target('next.tif'), LIMITS);
    const ended = first.stop('gone, too');
    expect(await asked).toBe(ended);
    await (await next).remove();
  });

  it('has no effect after its end', async () => {
    const decoder = fixture.open();
    const { signal, stop } = stoppable();
    const limits = { ...LIMITS, signal };
    const pixels = await decoder.decodeToFile(await photo(60, 40, 'png'), fixture.target(), limits);
    const { pid } = await fixture.process();
    stop('too late');
    await (await decoder.decodeToFile(await photo(60, 40, 'png'), fixture.target('b'), LIMITS)).remove();
    expect((await fixture.process()).pid).toBe(pid);
    await pixels.remove();
  });
});

function stoppable() {
  const abort = new AbortController();
  const stop = (text: string): Error => {
    const reason = new Error(text);
    abort.abort(reason);
    return reason;
  };
  return { signal: abort.signal, stop };
}

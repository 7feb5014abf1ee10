import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { readMetrics, total } from '../../support/roles/flow-metrics.js';
import { pixelAt, readPicture } from '../../support/images/flow-picture.js';
import { FlowService } from '../../support/roles/flow-service.js';

const ACCOUNTS = 20;
/** How far a solid color may drift within one result: rounding. */
const ROUNDING = 2;
const LEVELS = [30, 130, 230];

type Color = readonly [number, number, number];

interface Party {
  readonly client: FlowClient;
  readonly color: Color;
  readonly width: number;
  readonly height: number;
  readonly url: string;
}

/** Any two differ by 100 in at least one channel. */
function colorOf(index: number): Color {
  return [LEVELS[index % 3]!, LEVELS[Math.floor(index / 3) % 3]!, LEVELS[Math.floor(index / 9) % 3]!];
}

const MAX_ROUNDS = 10;

describe('twenty accounts whose jobs share batches', () => {
  let service: FlowService;
  let metricsUrl: string;
  const accounts: FlowClient[] = [];

  beforeAll(async () => {
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    service = await FlowService.start({
      models: ['auto_enhance', 'smooth_skin', 'upscale'],
      env: {
        INFERENCE_MAX_BATCH: '4',
        WORKER_CONCURRENCY: String(ACCOUNTS),
        WORKER_MEMORY_BYTES: '8000000000',
        WORKER_PORT: String(port),
      },
    });
    for (let index = 0; index < ACCOUNTS; index += 1) accounts.push(await service.client());
  });
  afterAll(() => service?.close());

  /** One image per account; no two share a size or color. */
  function parties(sizeOf: (index: number) => readonly [number, number]): Promise<Party[]> {
    return Promise.all(
      accounts.map(async (client, index) => {
        const color = colorOf(index);
        const [width, height] = sizeOf(index);
        const { url } = await client.upload(await solidFile(width, height, color));
        return { client, color, width, height, url };
      }),
    );
  }

  const enhance = async ({ client, url }: Party, operation: string) =>
    readPicture(
      (await client.enhanceSource(url, { operation, level: 'low', output: { format: 'png' } })).bytes,
    );

  /** How many items ran in a batch beyond its first item. */
  async function shared(): Promise<number> {
    const samples = await readMetrics(metricsUrl);
    return total(samples, 'ies_batch_items_sum') - total(samples, 'ies_batch_items_count');
  }

  async function expectOwnPixelsOnly(all: readonly Party[], operation: string, scale: number): Promise<void> {
    const pictures = await Promise.all(all.map((party) => enhance(party, operation)));
    for (const [index, picture] of pictures.entries()) {
      const { color, width, height } = all[index]!;
      expect([picture.width, picture.height]).toEqual([width * scale, height * scale]);
      // An operation may change colors, so compare all pixels with the middle one, and the middle one with the source.
      const middle = pixelAt(picture, picture.width >> 1, picture.height >> 1);
      const nearest = all
        .map((party) => distance(party.color, middle))
        .reduce((best, value, at, values) => (value < values[best]! ? at : best), 0);
      expect(nearest, `${operation} of account ${index}: ${color.join()} became ${middle.join()}`).toBe(
        index,
      );
      let foreign = 0;
      for (let at = 0; at < picture.data.length; at += 4)
        for (let channel = 0; channel < 4; channel += 1)
          if (Math.abs(picture.data[at + channel]! - middle[channel]!) > ROUNDING) foreign += 1;
      expect(foreign, `${operation} of account ${index}`).toBe(0);
    }
  }

  it('get only their own pixels from tiles that shared a batch', async () => {
    // One tile per account, so any two tiles in a batch belong to different accounts.
    const all = await parties((index) => [31 + 7 * index, 180 - 5 * index]);
    for (const [operation, scale] of [
      ['upscale', 2],
      ['smooth_skin', 1],
      ['auto_enhance', 1],
    ] as const) {
      const before = await shared();
      // A fast device may finish each tile before the next one arrives.
      for (let round = 0; round < MAX_ROUNDS && (await shared()) === before; round += 1)
        await expectOwnPixelsOnly(all, operation, scale);
      expect(await shared(), `${operation}: items that shared a batch`).toBeGreaterThan(before);
    }
  });

  it('get only their own pixels from several tiles each', async () => {
    const all = await parties((index) => [270 + 5 * index, 200 - 5 * index]);
    const before = await shared();
    for (const [operation, scale] of [
      ['upscale', 2],
      ['smooth_skin', 1],
    ] as const)
      await expectOwnPixelsOnly(all, operation, scale);
    expect(await shared()).toBeGreaterThan(before + ACCOUNTS);
  });
});

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.max(...[0, 1, 2].map((channel) => Math.abs(one[channel]! - other[channel]!)));
}

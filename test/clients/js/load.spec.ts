import { randomFillSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImageEnhancement } from '../../../clients/js/src/node.js';
import { pngChunk } from '../../../src/infra/image/testing/png-chunks.js';
import { PLAN_LIMITS } from '../../../src/kernel/plans.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { SharedService } from '../../support/roles/shared-service.js';
import { recordingFetch } from '../../support/clients/recording-fetch.js';

const ORDER = { operation: 'upscale', level: 'low' } as const;

describe('many requests and large files', () => {
  let service: SharedService;
  beforeAll(async () => {
    service = await SharedService.join();
  });
  afterAll(() => service?.close());

  it('make 100 enhancements at once with a Business key', async () => {
    const { account } = await service.client(PLAN_LIMITS.business);
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key });
    const photo = await smallPhoto(24, 24);
    const results = await Promise.all(Array.from({ length: 100 }, () => client.enhance(photo, ORDER)));
    expect(new Set(results.map(({ job }) => job.id)).size).toBe(100);
    const sizes = await Promise.all(results.map(async (result) => (await result.bytes()).length));
    expect(sizes).toEqual(results.map(({ info }) => info.bytes));
    expect((await client.usage()).enhancements.used).toBe(100);
  });

  it('wait when the rate limit is reached', async () => {
    const { account } = await service.client({ rpm: 20 });
    const { fetch, requests } = recordingFetch();
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key, fetch });
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.usage()));
    expect(answers).toHaveLength(30);
    const refused = requests.filter(({ status }) => status === 429).length;
    expect(refused).toBeGreaterThanOrEqual(10);
    // A refused request waits as long as told, so that no client hammers the service.
    expect(refused).toBeLessThan(60);
  });

  it('upload 19.9 MB and enhance them', async () => {
    const { account } = await service.client();
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key });
    const file = await padded(await solidFile(64, 64, [200, 100, 50]), 19_900_000);
    expect(file).toHaveLength(19_900_000);
    const result = await client.enhance(file, { operation: 'auto_enhance' });
    expect(result.info).toMatchObject({ width: 64, height: 64, format: 'png' });
  });
});

/** The same picture in a file of this size: the extra chunk has no meaning, so every reader skips it. */
async function padded(png: Buffer, sizeBytes: number): Promise<Buffer> {
  const end = pngChunk('IEND');
  const noise = Buffer.alloc(sizeBytes - png.length - 12);
  randomFillSync(noise);
  return Buffer.concat([png.subarray(0, -end.length), pngChunk('prVt', noise), end]);
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEVELS, SPECIFIED_OPERATIONS } from '../../../src/kernel/operations.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import {
  cropped,
  meanChange,
  type Picture,
  pixelAt,
  pngOf,
  readPicture,
} from '../../support/images/flow-picture.js';
import { SharedService } from '../../support/roles/shared-service.js';
import { portraitPng } from '../../support/images/portrait.js';

const SCALES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  upscale: { low: 2, medium: 2, high: 4 },
};

/** The core promise of the service: a photo in, a better photo out. */
describe('enhancing a photo', () => {
  let service: SharedService;
  let client: FlowClient;
  let photo: Picture;

  beforeAll(async () => {
    service = await SharedService.join();
    client = await service.client();
    photo = await readPicture(await readFile('scripts/assets/astronaut.png'));
  });
  afterAll(() => service?.close());

  describe('every operation at every level', () => {
    /** Odd on purpose: not a multiple of anything. */
    const size = { width: 83, height: 61 };
    let sourceUrl: string;

    beforeAll(async () => {
      const source = await client.upload(await portraitPng(size.width, size.height));
      sourceUrl = source.url;
    });

    const orders = SPECIFIED_OPERATIONS.flatMap((operation) => LEVELS.map((level) => ({ operation, level })));
    it.each(orders)('$operation, $level', async ({ operation, level }) => {
      const { job, bytes } = await client.enhanceSource(sourceUrl, { operation, level });
      const scale = SCALES[operation]?.[level] ?? 1;
      expect(job).toMatchObject({
        status: 'completed',
        operation,
        level,
        error: null,
        attempts: 1,
        progress: 1,
        device: 'cpu',
        precision: 'float32',
        model: {
          name: expect.stringMatching(/./),
          version: expect.any(Number),
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        result: {
          format: 'png',
          width: size.width * scale,
          height: size.height * scale,
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        },
      });
      for (const part of ['queuedMs', 'decodeMs', 'inferenceMs', 'encodeMs', 'totalMs'] as const)
        expect(job.timings![part], part).toBeGreaterThanOrEqual(0);
      expect(job.timings!.totalMs).toBeGreaterThanOrEqual(job.timings!.inferenceMs);
      expect(Date.parse(job.completedAt!)).toBeGreaterThanOrEqual(Date.parse(job.startedAt!));
      const result = await readPicture(bytes);
      expect(result).toMatchObject({ width: size.width * scale, height: size.height * scale });
      expect(result.data.some((value, at) => (at & 3) !== 3 && value > 0)).toBe(true);
    });

    it('defaults to the medium level', async () => {
      const job = await client.create(sourceUrl, { operation: 'upscale' });
      expect(job.level).toBe('medium');
      expect((await client.completed(job.id)).result).toMatchObject({ width: size.width * 2 });
    });
  });

  describe('the demo photo', () => {
    /** Far too dark: the light of the original photo leaves nothing to improve. */
    let dark: Picture;
    let results: Map<string, Picture>;

    beforeAll(async () => {
      dark = { ...photo, data: photo.data.map((value, at) => ((at & 3) === 3 ? value : value / 3)) };
      const sources = {
        smooth_skin: (await client.upload(await pngOf(photo))).url,
        auto_enhance: (await client.upload(await pngOf(dark))).url,
      };
      const orders = (['smooth_skin', 'auto_enhance'] as const).flatMap((operation) =>
        LEVELS.map((level) => ({ operation, level })),
      );
      const made = orders.map(async ({ operation, level }) => {
        const { bytes } = await client.enhanceSource(sources[operation], { operation, level });
        return [`${operation} ${level}`, await readPicture(bytes)] as const;
      });
      results = new Map(await Promise.all(made));
    });

    /** Skin, in the middle of the face. */
    const face = [200, 90, 64, 64] as const;

    it.each(['smooth_skin', 'auto_enhance'])('changes more with a higher level of %s', (operation) => {
      const before = cropped(operation === 'auto_enhance' ? dark : photo, ...face);
      const [low, medium, high] = LEVELS.map((level) =>
        meanChange(before, cropped(results.get(`${operation} ${level}`)!, ...face)),
      );
      expect(low).toBeGreaterThan(0.1);
      expect(medium).toBeGreaterThan(low! * 1.1);
      expect(high).toBeGreaterThan(medium! * 1.1);
    });

    it('keeps every pixel outside the skin unchanged', () => {
      const corner = [448, 0, 64, 64] as const;
      const smoothed = results.get('smooth_skin high')!;
      expect(cropped(smoothed, ...corner).data).toEqual(cropped(photo, ...corner).data);
    });

    it('loses its background and keeps its subject', async () => {
      const { bytes, job } = await client.enhance(await pngOf(photo), {
        operation: 'bg_remove',
        level: 'medium',
      });
      const cutout = await readPicture(bytes);
      expect(job.result!.format).toBe('png');
      expect(pixelAt(cutout, 225, 120)[3], 'the face').toBeGreaterThan(240);
      expect(pixelAt(cutout, 500, 20)[3], 'the far corner').toBeLessThan(15);
    });
  });
});

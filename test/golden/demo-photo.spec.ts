import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEVELS, SPECIFIED_OPERATIONS } from '../../src/kernel/operations.js';
import type { FlowClient } from '../support/roles/flow-client.js';
import { fingerprintDistance, fingerprintOf } from '../support/images/flow-fingerprint.js';
import { GoldenFile } from '../support/images/flow-golden.js';
import { cropped, pngOf, readPicture } from '../support/images/flow-picture.js';
import { SharedService } from '../support/roles/shared-service.js';

/**
 * Of 255, on the CPU. The same model gives 0 on the same machine; another processor rounds a few pixels the other way,
 * and with them the mean of a few cells by 1. The smallest meaningful difference is that of two neighboring
 * levels of smooth_skin: 0.04 in the mean.
 */
const TOLERANCE = { mean: 0.02, largest: 2 } as const;

/** Head, shoulder and background at full resolution: a smaller picture has nothing to smooth. */
const PART = [96, 0, 256, 256] as const;

/** To renew the fingerprints, see README.md in this folder. */
describe('the demo photo still matches its reviewed fingerprints', () => {
  const golden = new GoldenFile(new URL('fingerprints.json', import.meta.url));
  let service: SharedService;
  let client: FlowClient;
  let sourceUrl: string;

  beforeAll(async () => {
    service = await SharedService.join();
    client = await service.client();
    const photo = await readPicture(await readFile('scripts/assets/astronaut.png'));
    sourceUrl = (await client.upload(await pngOf(cropped(photo, ...PART)))).url;
  });
  afterAll(() => service?.close());

  const orders = SPECIFIED_OPERATIONS.flatMap((operation) => LEVELS.map((level) => ({ operation, level })));
  it.each(orders)('$operation, $level', async ({ operation, level }) => {
    const { job, bytes } = await client.enhanceSource(sourceUrl, { operation, level });
    const picture = await readPicture(bytes);
    const { width, height } = picture;
    const entry = { width, height, modelSha256: job.model!.sha256, fingerprint: fingerprintOf(picture) };
    const name = `${operation} ${level}`;
    const stored = golden.find(name);
    if (stored === undefined) {
      golden.write(name, entry);
      throw new Error(`${name} had no entry: it is written now. Look at the result, then commit the file.`);
    }
    const isSameModel = stored.modelSha256 === entry.modelSha256;
    const hint = isSameModel
      ? 'the model is the one of then: decoding, tiling or the engine changed'
      : 'the model is another than then: look at its results, then renew (README.md)';
    expect({ width, height }, hint).toEqual({ width: stored.width, height: stored.height });
    const distance = fingerprintDistance(entry.fingerprint, stored.fingerprint);
    expect(distance.mean, hint).toBeLessThanOrEqual(TOLERANCE.mean);
    expect(distance.largest, hint).toBeLessThanOrEqual(TOLERANCE.largest);
  });
});

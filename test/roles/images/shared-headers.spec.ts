import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Config } from '../../../src/config/env.js';
import { exifOfPointers, withSegments } from '../../../src/infra/image/testing/slow-jpeg.js';
import { photo } from '../../../src/infra/image/testing/still-images.js';
import { ImageProbe } from '../../../src/uploads/receiving/image-probe.js';
import { DecoderFixture } from '../../support/roles/decoder-fixture.js';

const LIMITS = { maxInputPixels: 50_000_000, codecMemoryBytes: 1_000_000_000 };

let fixture: DecoderFixture;
let probe: ImageProbe;
beforeEach(async () => {
  fixture = await DecoderFixture.make();
  probe = new ImageProbe({ ...LIMITS, dataDir: fixture.dataDir } as Config);
});
afterEach(async () => {
  await probe.onApplicationShutdown();
  await fixture.close();
});

it('reads the header of an account while another one sends many headers that are slow', async () => {
  const [slow, small] = [fixture.target('slow'), fixture.target('small')];
  const image = await photo(40, 30, 'jpeg');
  await writeFile(slow, withSegments(image, [exifOfPointers()]));
  await writeFile(small, image);
  const ended: string[] = [];
  const slowOnes = Array.from({ length: 8 }, () =>
    probe.examine(slow, 'acc_slow').catch((error: Error) => ended.push(error.message)),
  );
  expect(await probe.examine(small, 'acc_other')).toMatchObject({ width: 40, height: 30 });
  // First come, first served would read at least five of them first.
  expect(ended.length).toBeLessThan(5);
  await probe.onApplicationShutdown();
  await Promise.all(slowOnes);
});

import { chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImageDecoder } from '../../../src/infra/image/decoder/image-decoder.js';
import { photo } from '../../../src/infra/image/testing/still-images.js';
import { DecoderFixture } from '../../support/roles/decoder-fixture.js';

const OPTIONS = { maxPixels: 50_000_000, expectedPixels: 10_000, metadata: { mode: 'keep' } } as const;
/** The user to which decoders of root switch. */
const NOBODY = 65_534;

describe.skipIf(process.platform !== 'linux')('a fault after the pixels of an image were decoded', () => {
  let fixture: DecoderFixture;
  let decoder: ImageDecoder;
  let workDir: string;

  beforeEach(async () => {
    fixture = await DecoderFixture.make();
    decoder = fixture.open();
    await decoder.pool.warm();
    workDir = join(fixture.dataDir, 'scratch', 'decoder-1');
  });
  afterEach(() => fixture.close());

  const decode = async () => decoder.decode(await photo(60, 40, 'png'), fixture.target(), OPTIONS);

  it('in the decoder leaves no pixels in its folder', async () => {
    // Nothing can be written at this path.
    mkdirSync(join(workDir, 'metadata.json'));
    await expect(decode()).rejects.toMatchObject({ code: 'undecodable_image' });
    expect(await readdir(workDir)).toEqual(['metadata.json']);
    expect(existsSync(fixture.target())).toBe(false);
  });

  it('in the service leaves no pixels in the folder of the job', async () => {
    // The decoder writes through the link, which the service does not follow.
    const elsewhere = join(workDir, 'elsewhere');
    writeFileSync(elsewhere, '');
    if (process.getuid?.() === 0) chownSync(elsewhere, NOBODY, NOBODY);
    symlinkSync('elsewhere', join(workDir, 'metadata.json'));
    await expect(decode()).rejects.toMatchObject({ code: 'undecodable_image' });
    expect(existsSync(fixture.target())).toBe(false);
    // A decoder whose files are not what it reported is replaced.
    expect(existsSync(workDir)).toBe(false);
  });
});

import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeaderReader } from '../../../src/infra/image/decoder/header-reader.js';
import { exifOfPointers, withSegments } from '../../../src/infra/image/testing/slow-jpeg.js';
import { photo } from '../../../src/infra/image/testing/still-images.js';
import { DecoderFixture } from '../../support/roles/decoder-fixture.js';

const LIMITS = { maxPixels: 50_000_000 };

let fixture: DecoderFixture;
beforeEach(async () => {
  fixture = await DecoderFixture.make('what nobody may see');
});
afterEach(() => fixture.close());

describe('a header that takes a second of CPU time', () => {
  it('is refused, and does not occupy its process until the deadline', async () => {
    const reader = new HeaderReader(fixture.open().pool);
    const [slow, small] = [fixture.target('slow'), fixture.target('small')];
    const image = await photo(40, 30, 'jpeg');
    await writeFile(slow, withSegments(image, [exifOfPointers()]));
    await writeFile(small, image);
    await expect(reader.read(slow, LIMITS)).rejects.toMatchObject({
      code: 'undecodable_image',
      detail: "This file isn't a valid image: its header and metadata take too long to read.",
      cause: { how: 'deadline', message: 'the image process took too long for a header' },
    });
    expect(await reader.read(small, LIMITS)).toMatchObject({ width: 40, height: 30 });
  });
});

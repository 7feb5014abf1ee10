import { expect, it } from 'vitest';
import { PNG_SIGNATURE, pngChunk, pngHeader } from '../testing/png-chunks.js';
import { photo } from '../testing/still-images.js';
import { ByteReader } from './byte-reader.js';
import { walkPng } from './walk-png.js';

/** A PNG whose colors are stated by code points: BT.2020 primaries, and this transfer function. */
async function withTransfer(transfer: number): Promise<Buffer> {
  const png = await photo(32, 24, 'png');
  const afterHeader = PNG_SIGNATURE.length + pngHeader(32, 24).length;
  const colors = pngChunk('cICP', Buffer.from([9, transfer, 0, 1]));
  return Buffer.concat([png.subarray(0, afterHeader), colors, png.subarray(afterHeader)]);
}

it('refuses an HDR PNG, and no other whose colors are stated by code points', async () => {
  const walk = async (transfer: number) => walkPng(ByteReader.over(await withTransfer(transfer)));
  for (const transfer of [16, 18])
    await expect(walk(transfer)).rejects.toMatchObject({ code: 'unsupported_media_type' });
  await expect(walk(13)).resolves.toMatchObject({ size: { width: 32, height: 24 } });
});

import { expect, it } from 'vitest';
import { HLG, pngOfTransfer, PQ } from '../testing/hdr-images.js';
import { ByteReader } from './byte-reader.js';
import { walkPng } from './walk-png.js';

it('refuses an HDR PNG, and no other whose colors are stated by code points', async () => {
  const walk = async (transfer: number) => walkPng(ByteReader.over(await pngOfTransfer(transfer)));
  for (const transfer of [PQ, HLG]) await expect(walk(transfer)).rejects.toMatchObject({ code: 'hdr_image' });
  await expect(walk(13)).resolves.toMatchObject({ size: { width: 32, height: 24 } });
});

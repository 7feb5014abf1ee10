import { PNG_SIGNATURE, pngChunk, pngHeader } from './png-chunks.js';
import { drawSolid, photo, pipelineOf } from './still-images.js';

/** Transfer characteristics as code points (ITU-T H.273, table 3). */
export const PQ = 16;
export const HLG = 18;

/** A PNG whose colors are stated by code points: BT.2020 primaries, and this transfer function. */
export async function pngOfTransfer(transfer: number): Promise<Buffer> {
  const png = await photo(32, 24, 'png');
  const afterHeader = PNG_SIGNATURE.length + pngHeader(32, 24).length;
  const colors = pngChunk('cICP', Buffer.from([9, transfer, 0, 1]));
  return Buffer.concat([png.subarray(0, afterHeader), colors, png.subarray(afterHeader)]);
}

/** An AVIF whose profile is replaced by code points: BT.2020 primaries, and this transfer function. */
export async function avifOfTransfer(transfer: number): Promise<Buffer> {
  const file = await pipelineOf(drawSolid(64, 48, [90, 120, 60]))
    .withIccProfile('p3')
    .avif()
    .toBuffer();
  const at = file.indexOf('colrrICC') + 4;
  if (at < 4) throw new Error('the AVIF has no profile');
  file.write('nclx', at, 'latin1');
  Buffer.from([0, 9, 0, transfer, 0, 9, 0x80]).copy(file, at + 4);
  return file;
}

import { rm, writeFile } from 'node:fs/promises';
import { AppError } from '../../../kernel/app-error.js';
import { diskFaultCode } from '../../storage/storage-fault.js';
import { decodePixels } from '../codec/decode.js';
import { damaged } from '../codec/refusals.js';
import { readHeader } from '../containers/header.js';
import { keptMetadata } from '../metadata/kept-metadata.js';
import { serveRequests } from '../process/serve-requests.js';
import type { DecoderRequest, DecoderResponse } from './decoder-protocol.js';

/** Serves decoding requests until standard input is closed; see `DecoderRequest`. */
export function serveDecoder(): void {
  serveRequests('image decoder', (order, file) => answer(order as DecoderRequest, file));
}

/** CPU time in which a header is read. Headers need milliseconds. */
const HEADER_CPU_MS = 1_000;
const CHECK_MS = 50;

/**
 * Reads a header, within a limit of CPU time, which is the same on a busy machine. EXIF directories that refer to each
 * other keep the library busy for minutes, and a few such files would delay the uploads of everybody.
 */
async function headerAnswer(file: Buffer, limits: { maxPixels: number }): Promise<DecoderResponse> {
  const begin = process.cpuUsage();
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<DecoderResponse>((resolve) => {
    timer = setInterval(() => {
      const { user, system } = process.cpuUsage(begin);
      if ((user + system) / 1_000 > HEADER_CPU_MS) resolve({ kind: 'slow-header' });
    }, CHECK_MS);
  });
  const read = readHeader(file, limits).then((header) => ({ kind: 'header', header }) as const);
  return Promise.race([read, slow]).finally(() => clearInterval(timer));
}

async function answer(order: DecoderRequest, file: Buffer): Promise<DecoderResponse> {
  try {
    const limits = { maxPixels: order.maxPixels };
    if (order.kind === 'header') return await headerAnswer(file, limits);
    const { width, height, channels } = await decodePixels(file, order.file, limits);
    if (order.metadata !== undefined) {
      try {
        await writeFile(order.metadata.file, JSON.stringify(await keptMetadata(file, order.metadata)));
      } catch (error) {
        // Nobody asks for the pixels of a failed request.
        await rm(order.file, { force: true }).catch(() => undefined);
        throw error;
      }
    }
    return { kind: 'decoded', width, height, channels };
  } catch (error) {
    const code = diskFaultCode(error);
    if (code !== undefined) return { kind: 'disk-fault', code };
    const refusal = error instanceof AppError ? error : damaged('the decoder failed', error);
    return { kind: 'refused', code: refusal.code, detail: refusal.detail, internal: refusal.message };
  }
}

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

async function answer(order: DecoderRequest, file: Buffer): Promise<DecoderResponse> {
  try {
    const limits = { maxPixels: order.maxPixels };
    if (order.kind === 'header') return { kind: 'header', header: await readHeader(file, limits) };
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

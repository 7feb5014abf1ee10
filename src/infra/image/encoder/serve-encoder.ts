import { diskFaultCode } from '../../storage/storage-fault.js';
import { encodeSealed } from '../codec/encode.js';
import { serveRequests } from '../process/serve-requests.js';
import type { EncoderRequest, EncoderResponse } from './encoder-protocol.js';

/** Serves encoding requests until standard input is closed; see `EncoderRequest`. */
export function serveEncoder(): void {
  serveRequests('image encoder', (order) => answer(order as EncoderRequest));
}

async function answer({ pixels, shape, file, options }: EncoderRequest): Promise<EncoderResponse> {
  try {
    return { kind: 'encoded', bytes: await encodeSealed({ path: pixels, ...shape }, file, options) };
  } catch (error) {
    const code = diskFaultCode(error);
    return code === undefined ? { kind: 'failed', internal: String(error) } : { kind: 'disk-fault', code };
  }
}

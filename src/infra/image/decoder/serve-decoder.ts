import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { AppError } from '../../../kernel/app-error.js';
import { DROP_ROOT, dropPrivileges } from '../../processes/drop-privileges.js';
import { diskFaultCode } from '../../storage/storage-fault.js';
import { decodePixels } from '../codec/decode.js';
import { readHeader } from '../containers/header.js';
import { libvips } from '../codec/libvips.js';
import { damaged } from '../codec/refusals.js';
import { type DecoderResponse, type DecoderRequest, type DecoderPrivileges } from './decoder-protocol.js';
import { RequestReader } from './request-reader.js';

/** For whoever looks at a list of processes. */
const TITLE = 'image decoder';

/** Takes orders by the standard input, one at a time, until that is closed; see `DecoderRequest`. */
export function serveDecoder(): void {
  process.title = TITLE;
  libvips();
  if (process.argv.includes(DROP_ROOT)) dropPrivileges();
  const reader = new RequestReader((order, file) => void answer(order, file).then(say));
  process.stdin.on('data', (chunk: Buffer) => reader.push(chunk));
  // Nobody waits any more. An orderly exit would wait for a decode that is under way.
  process.stdin.once('close', () => process.kill(process.pid, 'SIGKILL'));
  say({ kind: 'ready', ...standing() });
}

async function answer(order: DecoderRequest, file: Buffer): Promise<DecoderResponse> {
  try {
    const limits = { maxPixels: order.maxPixels };
    if (order.kind === 'header') return { kind: 'header', header: await readHeader(file, limits) };
    const { width, height, channels } = await decodePixels(file, order.file, limits);
    return { kind: 'decoded', width, height, channels };
  } catch (error) {
    const code = diskFaultCode(error);
    if (code !== undefined) return { kind: 'disk-fault', code };
    const refusal = error instanceof AppError ? error : damaged('the decoder failed', error);
    return { kind: 'refused', code: refusal.code, detail: refusal.detail, internal: refusal.message };
  }
}

function standing(): DecoderPrivileges {
  return {
    uid: process.getuid?.(),
    noNewPrivileges: /^NoNewPrivs:\s*1$/m.test(ownStatus()),
    hasNetwork: Object.values(networkInterfaces()).some((addresses = []) =>
      addresses.some(({ internal }) => !internal),
    ),
  };
}

/** Empty where there is no /proc. */
function ownStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}

function say(word: DecoderResponse): void {
  process.stdout.write(`${JSON.stringify(word)}\n`);
}

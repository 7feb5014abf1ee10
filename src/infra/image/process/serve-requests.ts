import { readFileSync } from 'node:fs';
import { DROP_ROOT, dropPrivileges } from '../../processes/drop-privileges.js';
import { ignoreStopSignals } from '../../processes/ignore-stop-signals.js';
import { libvips } from '../codec/libvips.js';
import type { ImageRequest, ProcessPrivileges } from './image-process-protocol.js';
import { RequestReader } from './request-reader.js';

/**
 * Handles requests from standard input, one at a time, until it is closed. Responds to each with a line of JSON.
 * @param title name of the process in process lists
 * @param answer gets unparsed requests and never rejects
 */
export function serveRequests(
  title: string,
  answer: (order: ImageRequest, file: Buffer) => Promise<{ readonly kind: string }>,
): void {
  process.title = title;
  ignoreStopSignals();
  libvips();
  if (process.argv.includes(DROP_ROOT)) dropPrivileges();
  const reader = new RequestReader((order, file) => void answer(order, file).then(say));
  process.stdin.on('data', (chunk: Buffer) => reader.push(chunk));
  // The parent has exited. A graceful exit would wait for the current image.
  process.stdin.once('close', () => process.kill(process.pid, 'SIGKILL'));
  say({ kind: 'ready', ...privileges() });
}

function privileges(): ProcessPrivileges {
  return {
    uid: process.getuid?.(),
    noNewPrivileges: /^NoNewPrivs:\s*1$/m.test(ownStatus()),
  };
}

/** Empty without /proc. */
function ownStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}

function say(word: { readonly kind: string }): void {
  process.stdout.write(`${JSON.stringify(word)}\n`);
}

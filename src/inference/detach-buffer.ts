import { MessageChannel } from 'node:worker_threads';

const { port1: nowhere } = new MessageChannel();
nowhere.close();

/**
 * Frees a buffer now instead of when the collector finds it: tiles come by the hundred, megabytes each, and a
 * collection for every few of them is what kept the event loop longest. Whatever is handed to a closed port is gone
 * with the message (Node 20 has no `ArrayBuffer.prototype.transfer`, which could do it too).
 * @param bytes over a whole ArrayBuffer; empty afterwards, as is every other view of it
 */
export function detachBuffer({ buffer }: Uint8Array): void {
  nowhere.postMessage(null, [buffer as ArrayBuffer]);
}

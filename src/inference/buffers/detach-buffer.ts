import { MessageChannel } from 'node:worker_threads';

const { port1: nowhere } = new MessageChannel();
nowhere.close();

/**
 * Frees a buffer now instead of at the next garbage collection. Tiles are megabytes each, and collecting them blocked
 * the event loop more than anything else. A buffer sent to a closed port is freed with the message (Node 20 lacks
 * `ArrayBuffer.prototype.transfer`).
 * @param bytes over a whole ArrayBuffer; empty afterward, like every other view of it
 */
export function detachBuffer({ buffer }: Uint8Array): void {
  nowhere.postMessage(null, [buffer as ArrayBuffer]);
}

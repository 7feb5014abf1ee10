import { Worker } from 'node:worker_threads';
import { disableOnnxTelemetry } from '../../engines/onnx-telemetry.js';
import type { DeviceStart, HostMessage } from '../device-port.js';
import { compiledModule } from '../../../config/compiled-module.js';

const MODULE = 'inference/device/threads/device-thread.js';

/** Process-wide, because exiting the process ends all of its threads. */
const running = new Set<Worker>();

/**
 * Starts a device thread. This is the only place that does, and nothing calls `terminate()` on one: Node
 * aborts the whole process when a thread ends while ONNX Runtime loads or computes in it
 * (docs/decisions/0001-device-threads.md).
 */
export function startDeviceThread(start: DeviceStart): Worker {
  disableOnnxTelemetry();
  const thread = new Worker(compiledModule(MODULE), { name: 'device', workerData: start });
  running.add(thread);
  thread.once('exit', () => running.delete(thread));
  return thread;
}

/**
 * Asks every device thread of this process to end after its pending runs.
 * @returns a promise that resolves when all have ended, immediately when there are none
 */
export async function endDeviceThreads(): Promise<void> {
  await Promise.all(
    [...running].map(
      (thread) =>
        new Promise<void>((resolve) => {
          thread.once('exit', () => resolve());
          thread.postMessage({ kind: 'close' } satisfies HostMessage, []);
        }),
    ),
  );
}

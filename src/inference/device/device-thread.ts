/**
 * The entry of the device thread: the only thread that holds model sessions, because a run blocks the thread
 * it is called on. Reached by messages only; see device-port.ts.
 */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { providerCandidates } from '../engines/execution-provider.js';
import { OnnxEngine } from '../engines/onnx-engine.js';
import { transferList } from '../tensor.js';
import { DeviceModel } from './device-model.js';
import type { DeviceMessage, DeviceStart, HostMessage } from './device-port.js';

interface Loaded {
  readonly model: DeviceModel;
  readonly provider: string;
  readonly passedOver: readonly string[];
}

async function load({ device, threads, stages }: DeviceStart): Promise<Loaded> {
  const candidates = providerCandidates(device);
  const passedOver: string[] = [];
  for (const provider of candidates) {
    try {
      const model = await DeviceModel.load(new OnnxEngine(provider, threads), stages);
      return { model, provider, passedOver };
    } catch (error) {
      passedOver.push((error as Error).message);
    }
  }
  const isChoice = device !== 'auto' && device !== 'cpu';
  const advice = isChoice ? `\nInstall what INFERENCE_DEVICE=${device} needs, or choose another device.` : '';
  throw new Error(`${passedOver.at(-1)}${advice}`);
}

function serve(port: MessagePort, model: DeviceModel): void {
  // One after the other: runs share the device, and `forget` must not overtake the runs before it.
  let last = Promise.resolve();
  port.on('message', (message: HostMessage) => {
    last = last.then(() => answer(port, model, message));
  });
}

async function answer(port: MessagePort, model: DeviceModel, message: HostMessage): Promise<void> {
  switch (message.kind) {
    case 'run': {
      const outcomes = await model.run(message.stageId, message.items);
      const tensors = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.tensors] : []));
      tell(port, { kind: 'outcomes', ticket: message.ticket, outcomes }, transferList(tensors));
      return;
    }
    case 'forget':
      model.forget(message.analysis);
      return;
    case 'close':
      await model.release();
      port.close();
      return;
  }
}

function tell(port: MessagePort, message: DeviceMessage, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

if (parentPort === null)
  throw new Error('device-thread.js is the entry of a worker thread, not of a process');
try {
  const { model, provider, passedOver } = await load(workerData as DeviceStart);
  serve(parentPort, model);
  tell(parentPort, { kind: 'ready', provider, passedOver });
} catch (error) {
  tell(parentPort, { kind: 'refused', message: (error as Error).message });
  parentPort.close();
}

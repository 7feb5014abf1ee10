/**
 * Entry point of the device thread, the only thread that holds model sessions, because a run blocks its thread. It
 * communicates only by messages; see device-port.ts.
 */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Engines } from '../../engines/engines.js';
import { providerCandidates } from '../../engines/execution-provider.js';
import { transferList } from '../../tensor.js';
import { DeviceBroken } from '../device-broken.js';
import { DeviceModel } from '../stages/device-model.js';
import { ReusableBuffers } from '../stages/reusable-buffers.js';
import type { DeviceMessage, DeviceStart, HostMessage, CachedAnalysis, RunReport } from '../device-port.js';
import { streamedProvider, streamThreads } from './stream-threads.js';
import { SerialQueue } from '../../../kernel/concurrency/serial-queue.js';

interface Loaded {
  readonly model: DeviceModel;
  readonly buffers: ReusableBuffers;
  readonly providers: Readonly<Record<string, string>>;
  readonly provider: string;
  readonly passedOver: readonly string[];
  readonly largestBatch: number;
  /** Filled by every run. */
  readonly runs: RunReport[];
  /** Outputs of analyses that other threads need. */
  readonly cached: CachedAnalysis[];
}

type Serving = Pick<Loaded, 'model' | 'buffers' | 'runs' | 'cached'>;

async function load({ device, index, stages, isPartial, precision, ...start }: DeviceStart): Promise<Loaded> {
  const candidates = providerCandidates(device);
  const isGuess = start.isGuess ?? device === 'auto';
  const passedOver: string[] = [];
  for (const provider of candidates) {
    try {
      const threads = isCpu(provider) ? streamThreads(start).threads : start.threads;
      const engines = new Engines({ provider, index, threads, isGuess, precision });
      const runs: RunReport[] = [];
      const cached: CachedAnalysis[] = [];
      const buffers = new ReusableBuffers();
      const largestBatch = start.largestBatch ?? (isCpu(provider) ? 1 : Infinity);
      const onRun = (run: RunReport): unknown => runs.push(run);
      const onCached = (analysis: CachedAnalysis): unknown => cached.push(structuredClone(analysis));
      const isShared = start.streams > 1 && streamedProvider(provider) !== undefined;
      const model = await DeviceModel.load(engines, stages, {
        largestBatch,
        isPartial,
        onRun,
        buffers,
        ...(isShared ? { onCached } : {}),
      });
      if (!isCpu(provider)) await warm(model);
      return {
        model,
        buffers,
        provider: engines.provider,
        providers: engines.providers,
        passedOver,
        largestBatch,
        runs,
        cached,
      };
    } catch (error) {
      passedOver.push((error as Error).message);
    }
  }
  const isChoice = !isGuess && device !== 'cpu';
  const advice = isChoice ? `\nInstall what INFERENCE_DEVICE=${device} needs, or choose another device.` : '';
  throw new Error(`${passedOver.at(-1)}${advice}`);
}

/**
 * A CPU is not tuned by shape, and one item uses all cores, so batches would only take more memory. On a CPU, a first
 * run costs little, while warming all stages would take most of the startup time, so the service is ready before they
 * are warm.
 */
function isCpu(provider: string): boolean {
  return provider === 'cpu';
}

/** Frees everything when a stage does not run, so that another provider can be tried. */
async function warm(model: DeviceModel): Promise<void> {
  try {
    for (const stageId of model.stageIds) await model.warm(stageId, 'every shape');
  } catch (error) {
    await model.release();
    throw error;
  }
}

function serve(port: MessagePort, serving: Serving): void {
  // Handles one message at a time: runs share the device, and `forget` must not overtake earlier runs.
  const line = new SerialQueue();
  port.on('message', (message: HostMessage) => {
    if (message.kind === 'warm') void warmInIdleTime(port, serving.model, line);
    else line.add(() => answer(port, serving, message).catch((error: unknown) => reportBroken(port, error)));
    if (message.kind === 'close') line.close();
  });
}

/**
 * The thread stays until the process exits: freeing the models of a broken device may abort the process, whose jobs must
 * first return to the queue.
 */
function reportBroken(port: MessagePort, error: unknown): void {
  if (!(error instanceof DeviceBroken)) throw error;
  send(port, { kind: 'broken', message: error.message });
}

/** Warms one stage at a time, so that a new job waits for at most one of them. */
async function warmInIdleTime(port: MessagePort, model: DeviceModel, line: SerialQueue): Promise<void> {
  const broken: string[] = [];
  for (const stageId of isCpu(model.provider) ? model.stageIds : []) {
    await line.addWhenIdle(() =>
      model.warm(stageId, 'once').catch((error: unknown) => {
        broken.push((error as Error).message);
      }),
    );
  }
  send(port, { kind: 'warm', broken });
}

async function answer(
  port: MessagePort,
  { model, buffers, runs, cached }: Serving,
  message: Exclude<HostMessage, { kind: 'warm' }>,
): Promise<void> {
  switch (message.kind) {
    case 'run': {
      buffers.give(message.returned);
      const outcomes = await model.run(message.stageId, message.items);
      const tensors = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.tensors] : []));
      const { ticket } = message;
      const shared = cached.splice(0);
      const moved = transferList([...tensors, ...shared.map(({ maps }) => maps)]);
      const lent = moved.filter((buffer) => buffers.has(buffer));
      send(port, { kind: 'outcomes', ticket, outcomes, lent, runs: runs.splice(0), cached: shared }, moved);
      return;
    }
    case 'cache':
      model.cache(message);
      return;
    case 'forget':
      model.forget(message.analysis);
      return;
    case 'close':
      await model.release();
      port.close();
      return;
  }
}

function send(port: MessagePort, message: DeviceMessage, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

if (parentPort === null)
  throw new Error('device-thread.js is the entry of a worker thread, not of a process');
try {
  const { model, buffers, runs, cached, ...how } = await load(workerData as DeviceStart);
  serve(parentPort, { model, buffers, runs, cached });
  const { leftOut, lowered, precisions, resizable } = model;
  send(parentPort, { kind: 'ready', leftOut, lowered, precisions, resizable, ...how });
} catch (error) {
  send(parentPort, { kind: 'refused', message: (error as Error).message });
  parentPort.close();
}

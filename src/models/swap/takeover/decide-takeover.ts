import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import type { ExecutionProvider } from '../../../inference/engines/execution-provider.js';
import { isDeviceUsable } from '../../../inference/device/usable-device.js';
import { exitAfterRuns } from '../../../inference/device/threads/exit-after-runs.js';
import { predecessor, sendToSupervisor } from '../../../roles/role-channel.js';
import type { ServingState } from '../../../roles/role-messages.js';
import type { LoadedModels } from '../load-models.js';
import { namesForPromises, servedVersions } from '../serving-catalog.js';
import { isSlowerDevice, takeoverObjection } from './takeover.js';

/** How long a worker that declined waits for the supervisor to end it. Without a supervisor, no worker takes over. */
const UNTIL_ENDED_MS = 10_000;
/** Exit code of a worker that declined and was not ended. */
const EXIT_DECLINED = 76;

/** The connection to the supervisor. */
export interface SupervisorChannel {
  readonly predecessor: () => Promise<ServingState | null>;
  /** Declines to take over, and exits. */
  readonly decline: (reason: string) => Promise<void>;
}

const CHANNEL: SupervisorChannel = {
  predecessor,
  decline: async (reason) => {
    await sendToSupervisor({ type: 'declined', reason });
    await sleep(UNTIL_ENDED_MS);
    await exitAfterRuns(EXIT_DECLINED);
  },
};

/** The state of a worker with these models that a successor must know. */
export function servingStateOf({
  catalog,
  devices,
}: Pick<LoadedModels, 'catalog' | 'devices'>): ServingState {
  return { device: devices.device, serves: servedVersions(catalog), owes: namesForPromises(catalog) };
}

/**
 * Called once the models are loaded and before anything is announced: exits this process when the worker that it
 * replaces should continue instead. Logs when `auto` did not choose the best device.
 * @param isUsable whether a device works with any model
 */
export async function decideTakeover(
  models: Pick<LoadedModels, 'catalog' | 'devices' | 'leftOut' | 'promised'>,
  logger: LoggerService,
  channel = CHANNEL,
  isUsable = isDeviceUsable,
): Promise<void> {
  const { catalog, devices, leftOut, promised } = models;
  const { device, passedOver } = devices;
  if (passedOver.length > 0)
    logger.warn({ device, passedOver }, 'INFERENCE_DEVICE=auto did not select a better device', 'models');
  // A device without problems needs no comparison.
  if (passedOver.length + catalog.refusals.length + leftOut.length === 0) return;
  const before = await channel.predecessor();
  if (before === null) return;
  const { serves, owes } = servingStateOf(models);
  const { refusals, excluded } = catalog;
  const isSlower = isSlowerDevice(device, before.device);
  const candidate = { serves, owes, refusals, damaged: excluded.damaged, leftOut, promised };
  let reason = takeoverObjection(before, candidate);
  if (reason === null && isSlower && (await isStillUsable(before.device, isUsable)))
    reason = `it would run on ${device}, although ${before.device} works: ${passedOver.join(' ')}`;
  if (reason === null) {
    if (isSlower)
      logger.warn({ device, before: before.device, passedOver }, 'taking over on a slower device', 'models');
    return;
  }
  logger.error({ reason }, 'not taking over', 'models');
  await devices.close();
  await channel.decline(reason);
}

/**
 * Whether the first device of the worker that still runs works. Then, most likely, it lacks the memory for two workers,
 * or does not run one of the models. WebGPU is not tested, because two processes on one device can crash each other: a
 * worker that loses its device exits by itself, so one that still runs has it.
 * @param devices for example `cuda`, or `cuda:0,cuda:1`
 */
async function isStillUsable(devices: string, isUsable: typeof isDeviceUsable): Promise<boolean> {
  const [provider, index] = devices.split(',')[0]!.split(':');
  if (provider === 'webgpu') return true;
  return isUsable({
    provider: provider as ExecutionProvider,
    index: index === undefined ? undefined : Number(index),
  });
}

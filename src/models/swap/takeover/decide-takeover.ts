import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
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
 */
export async function decideTakeover(
  models: Pick<LoadedModels, 'catalog' | 'devices' | 'leftOut' | 'promised'>,
  logger: LoggerService,
  channel = CHANNEL,
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
  const reason = takeoverObjection(before, {
    serves,
    owes,
    refusals,
    damaged: excluded.damaged,
    leftOut,
    promised,
  });
  if (reason === null) {
    if (isSlowerDevice(device, before.device))
      logger.warn({ device, before: before.device, passedOver }, 'taking over on a slower device', 'models');
    return;
  }
  logger.error({ reason }, 'not taking over', 'models');
  await devices.close();
  await channel.decline(reason);
}

import { Catalog } from '../repository/catalog.js';
import { readVersion } from '../repository/read-version.js';
import type { PrecisionChoice } from '../../inference/engines/precision.js';
import type { TrialDevice } from '../../inference/device/trial-device.js';
import { isOutOfMemory } from '../../inference/device/stages/out-of-memory.js';
import { UnfitModel } from '../../inference/engines/triton/server-errors.js';
import { NO_SERVER, type TritonOptions } from '../../inference/engines/triton/triton-engine.js';
import { Enhancer } from '../../inference/enhancer.js';
import { exitAfterRuns } from '../../inference/device/threads/exit-after-runs.js';
import type { ModelFault } from './model-fault.js';
import { errorText } from '../../kernel/errors/error-text.js';

/** The version to try, and the device. */
export interface TrialRequest extends TrialDevice {
  /** Absolute path of the version's folder. */
  readonly folder: string;
  readonly threads: number;
  readonly precision: PrecisionChoice;
  /** For stages that run on an inference server. */
  readonly triton?: TritonOptions | undefined;
}

/** @returns why the version cannot serve, or null when it runs */
export async function runTrial({
  folder,
  device,
  index,
  isGuess,
  threads,
  precision,
  triton = NO_SERVER,
}: TrialRequest): Promise<ModelFault | null> {
  try {
    const catalog = new Catalog([await readVersion(folder)], []);
    const enhancer = await Enhancer.start({
      catalog,
      device,
      index,
      isGuess,
      threads,
      precision,
      triton,
      onDeath: () => void exitAfterRuns(1),
    });
    const broken = await enhancer.warm();
    await enhancer.close();
    return broken.length === 0 ? null : faultOf(broken.join(' '));
  } catch (error) {
    const reason = errorText(error);
    return error instanceof UnfitModel ? { reason, isTransient: true, remote: 'unfit' } : faultOf(reason);
  }
}

function faultOf(reason: string): ModelFault {
  return { reason, isTransient: isOutOfMemory(reason) };
}

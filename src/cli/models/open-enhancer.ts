import type { ModelVersion } from '../../models/repository/model-version.js';
import { Enhancer } from '../../inference/enhancer.js';
import { LEVELS } from '../../kernel/operations.js';
import type { Config } from '../../config/env.js';
import { exitAfterRuns } from '../../inference/device/threads/exit-after-runs.js';
import { configuredTriton } from '../../inference/engines/triton/configured-triton.js';
import { ModelsError } from './models-command.js';

/** Runs `work` with versions loaded on the configured device. Always closes the enhancer afterward. */
export async function withEnhancer<T>(
  config: Config,
  versions: readonly ModelVersion[],
  work: (enhancer: Enhancer) => Promise<T>,
): Promise<T> {
  const routes = versions.flatMap((version) => LEVELS.map((level) => version.routes[level]));
  const enhancer = await Enhancer.start({
    catalog: { routes: () => routes },
    device: config.inferenceDevice,
    threads: config.inferenceThreads,
    precision: config.precision,
    triton: configuredTriton(config),
    onDeath: (error) => {
      process.stderr.write(`${error.message}\n`);
      void exitAfterRuns(1);
    },
  }).catch((error: unknown) => {
    throw new ModelsError((error as Error).message);
  });
  try {
    return await work(enhancer);
  } finally {
    await enhancer.close();
  }
}

import { childEnvironment } from '../../config/child-environment.js';
import { DESCRIPTORS } from '../../config/env.js';
import { IMAGE_DESCRIPTORS } from '../../config/variables/image-env.js';
import { INFERENCE_DESCRIPTORS, MODEL_DESCRIPTORS } from '../../config/variables/inference/inference-env.js';

/** How the user's machine computes. No setting here names another system or a folder with data. */
const KEPT: ReadonlySet<string> = new Set(
  [
    ...Object.values({ ...MODEL_DESCRIPTORS, ...INFERENCE_DESCRIPTORS, ...IMAGE_DESCRIPTORS }),
    DESCRIPTORS.workerConcurrency,
    DESCRIPTORS.workerMemoryBytes,
    DESCRIPTORS.diskReserveBytes,
    DESCRIPTORS.logLevel,
  ]
    .filter((descriptor) => descriptor !== MODEL_DESCRIPTORS.modelsUrl)
    .map(({ name }) => name),
);

/**
 * The environment of the demo's service. Of the service's variables, it takes over only those of `KEPT`, because the
 * user's shell may hold the settings of a real service, such as its bucket.
 */
export function demoEnvironment(dataDir: string): Record<string, string> {
  const dropped = Object.values(DESCRIPTORS).flatMap(({ name }) => (KEPT.has(name) ? [] : [name]));
  return childEnvironment({
    ...Object.fromEntries(dropped.map((name) => [name, undefined])),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    DRAIN_TIMEOUT_MS: '1000',
  });
}

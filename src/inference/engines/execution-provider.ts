import { existsSync } from 'node:fs';
import type { Config } from '../../config/env.js';

export type InferenceDevice = Config['inferenceDevice'];
export type ExecutionProvider = Exclude<InferenceDevice, 'auto'>;

/**
 * The providers to try, best first. An explicit choice is the only candidate: a silent fallback would hide a machine
 * that is 100 times slower than its owner believes. `auto` omits TensorRT, which compiles every graph for minutes at
 * each start, and tries GPUs only where the system reports one, because the runtimes write warnings to stderr when they
 * find none.
 */
export function providerCandidates(
  device: InferenceDevice,
  hasGpu: () => boolean = systemShowsGpu,
): readonly ExecutionProvider[] {
  if (device !== 'auto') return [device];
  return hasGpu() ? ['cuda', 'webgpu', 'cpu'] : ['cpu'];
}

/** Linux lists GPUs as device files (NVIDIA, DRM, WSL); on other systems only an attempt shows whether there is one. */
function systemShowsGpu(): boolean {
  if (process.platform !== 'linux') return true;
  return ['/dev/nvidiactl', '/dev/dri/renderD128', '/dev/dxg'].some((path) => existsSync(path));
}

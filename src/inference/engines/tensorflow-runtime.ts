import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import type { Placement } from './placement.js';

/** TensorFlow.js with a working backend. */
export interface TensorflowRuntime {
  /** The provider as recorded in jobs: `tensorflow-gpu`, `tensorflow-cpu`, or `tensorflow-wasm`. */
  readonly provider: string;
}

interface Candidate {
  readonly provider: string;
  readonly start: () => Promise<void>;
}

const GPU: Candidate = { provider: 'tensorflow-gpu', start: () => native('@tensorflow/tfjs-node-gpu') };
const CPU: Candidate = { provider: 'tensorflow-cpu', start: () => native('@tensorflow/tfjs-node') };
const WASM: Candidate = { provider: 'tensorflow-wasm', start: wasm };

/**
 * Starts the best backend that is installed and that the placement allows. The native libraries are optional peers;
 * WebAssembly is always available. An explicit choice has no fallback.
 * @throws Error with the reason why no backend runs
 */
export async function startTensorflow(placement: Placement): Promise<TensorflowRuntime> {
  const reasons: string[] = [];
  for (const { provider, start } of candidates(placement)) {
    try {
      await start();
      await tf.ready();
      return { provider };
    } catch (error) {
      reasons.push(`${provider}: ${(error as Error).message.split('\n')[0]}`);
    }
  }
  throw new Error(
    `TensorFlow.js does not run on ${placement.provider} (${reasons.join('; ') || 'it has no such backend'}). Install @tensorflow/tfjs-node-gpu for an NVIDIA GPU, or choose the device cpu`,
  );
}

/**
 * The backends to try, best first. TensorFlow uses only the first GPU of CUDA_VISIBLE_DEVICES, and supports neither
 * Vulkan nor TensorRT.
 */
export function candidates({ provider, index, isGuess }: Placement): readonly Candidate[] {
  if (provider === 'cpu') return [CPU, WASM];
  const gpu = provider === 'cuda' && (index ?? 0) === 0 ? [GPU] : [];
  return isGuess ? [...gpu, CPU, WASM] : gpu;
}

async function native(name: string): Promise<void> {
  // A variable, so that neither the compiler nor a bundler resolves the optional package.
  await import(name);
  await use('tensorflow');
}

async function wasm(): Promise<void> {
  const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm');
  const main = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(join(dirname(main), '/'));
  await use('wasm');
}

async function use(backend: string): Promise<void> {
  if (!(await tf.setBackend(backend))) throw new Error(`the backend ${backend} does not start`);
}

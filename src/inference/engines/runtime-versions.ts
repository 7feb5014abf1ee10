import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The packages that run models. The native backends of TensorFlow.js have its version. */
const RUNTIMES = ['onnxruntime-node', '@tensorflow/tfjs-core'];

/**
 * The versions of the runtimes, for example `onnxruntime-node 1.30.0, …`. A check of a model is valid only for the
 * version that ran it. Reads their package manifests, so that no native library is loaded.
 */
export function runtimeVersions(): string {
  return RUNTIMES.flatMap((name) => {
    const path = manifestPath(name);
    if (path === undefined) return [];
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
    return [`${name} ${version}`];
  }).join(', ');
}

/** Undefined when the package is not installed, because TensorFlow.js is optional. */
function manifestPath(name: string): string | undefined {
  try {
    return require.resolve(`${name}/package.json`);
  } catch {
    return undefined;
  }
}

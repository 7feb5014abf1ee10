import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** What runs models. The native backends of TensorFlow.js have its version. */
const RUNTIMES = ['onnxruntime-node', '@tensorflow/tfjs-core'];

/**
 * The versions of the runtimes, for example `onnxruntime-node 1.30.0, …`: what one version made of a model
 * says nothing of another. Read from their packages, so that no native library is loaded for it.
 */
export function runtimeVersions(): string {
  return RUNTIMES.map((name) => {
    const { version } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')) as {
      version: string;
    };
    return `${name} ${version}`;
  }).join(', ');
}

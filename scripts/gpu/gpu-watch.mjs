import { spawn } from 'node:child_process';

/**
 * Arguments of nvidia-smi that print the use and memory of one GPU twice a second: the first one that CUDA shows.
 * @param {string} [visible] CUDA_VISIBLE_DEVICES: indices or UUIDs. nvidia-smi does not read it.
 */
export function gpuQuery(visible = '') {
  const [first] = visible.split(',');
  const fields = ['--query-gpu=utilization.gpu,memory.used', '--format=csv,noheader,nounits'];
  return [`--id=${first.trim() || '0'}`, ...fields, '-lms', '500'];
}

/**
 * Samples the first GPU twice a second.
 * @returns a function that ends the sampling and returns `{ busyPercent, memoryMb: { first, last, most } }`, or null
 * without nvidia-smi
 */
export function watchGpu() {
  const samples = [];
  const child = spawn('nvidia-smi', gpuQuery(process.env.CUDA_VISIBLE_DEVICES), {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const isThere = new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  let rest = '';
  child.stdout?.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const [busy, memory] = line.split(',').map(Number);
      if (Number.isFinite(busy)) samples.push({ busy, memory });
    }
  });
  return async () => {
    if (!(await isThere)) return null;
    child.kill('SIGTERM');
    if (samples.length === 0) return null;
    const memory = samples.map((sample) => sample.memory);
    return {
      busyPercent: Number((samples.reduce((sum, { busy }) => sum + busy, 0) / samples.length).toFixed(1)),
      memoryMb: { first: memory[0], last: memory.at(-1), most: Math.max(...memory) },
    };
  };
}

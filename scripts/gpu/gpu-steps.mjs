import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Chromium's software implementation of Vulkan, for dry runs. */
const SWIFTSHADER = '/usr/lib/chromium/vk_swiftshader_icd.json';
/** SwiftShader is hundreds of times slower than the CPU, so a dry run uses tiny images and the cheapest operation. */
const TINY = ['--pixels', '300', '--batches', '1', '--operation', 'upscale'];

/**
 * @typedef {object} GpuStep
 * @property {string} name
 * @property {string} title
 * @property {number} limitMinutes
 * @property {readonly string[]} command prints JSON
 * @property {Record<string, string>} [env]
 * @property {boolean} [isRepeated] runs again although it has succeeded: it takes seconds, and the machine may have
 *   changed
 */

/**
 * The GPU tests, the most valuable first.
 * @param {{ isDryRun: boolean }} options a dry run replaces CUDA with the CPU, and the GPU of WebGPU with SwiftShader
 * @returns {GpuStep[]}
 */
export function gpuSteps({ isDryRun }) {
  const node = (script, ...args) => [process.execPath, `scripts/${script}.mjs`, ...args];
  const cuda = isDryRun ? 'cpu' : 'cuda';
  const vulkan =
    isDryRun && existsSync(SWIFTSHADER)
      ? { VK_ICD_FILENAMES: SWIFTSHADER, VK_DRIVER_FILES: SWIFTSHADER }
      : {};
  const rows = (device, ...more) => node('bench', 'gpu', '--json', '--device', device, ...more);
  const service = (...args) => node('gpu/service', ...args);
  const few = isDryRun ? ['--jobs', '8', '--clients', '4'] : ['--at-once', String(availableParallelism())];
  const ofUpscale = ['--operation', 'upscale', '--level', 'medium'];
  return [
    {
      name: 'machine',
      title: 'GPU, driver and libraries',
      limitMinutes: 1,
      command: node('gpu/machine'),
      isRepeated: true,
    },
    {
      name: 'providers',
      title: 'which providers load',
      limitMinutes: 3,
      command: node('gpu/providers'),
      isRepeated: true,
      env: vulkan,
    },
    {
      name: 'correct-cuda',
      title: 'every operation and level on CUDA against the CPU in float32',
      limitMinutes: 4,
      command: rows(cuda, '--pixels', isDryRun ? '40000' : '1000000', '--batches', '1'),
    },
    {
      name: 'correct-webgpu',
      title: 'every operation and level on WebGPU against the CPU in float32',
      limitMinutes: isDryRun ? 10 : 4,
      command: rows('webgpu', ...(isDryRun ? TINY : ['--pixels', '1000000', '--batches', '1'])),
      env: vulkan,
    },
    {
      name: 'precision',
      title: 'results of the whole service in float32 and float16 against the CPU',
      limitMinutes: 4,
      command: node('gpu/precision', '--device', cuda),
    },
    {
      name: 'upscale',
      title: '64 clients, upscale at medium only, which needs no other models',
      limitMinutes: 3,
      command: service('--device', cuda, ...ofUpscale, ...few),
    },
    {
      name: 'upscale-two-workers',
      title: 'the same with two workers on one GPU',
      limitMinutes: 3,
      command: service('--device', cuda, ...ofUpscale, '--workers', '2', ...few),
    },
    {
      name: 'kernels',
      title: 'kernels and copies of the graph of upscale at medium by their time',
      limitMinutes: 2,
      command: node('gpu/kernels', '--stage', 'upscale/1/x2-best'),
    },
    {
      name: 'graphs',
      title: 'the bare graphs by precision and batch size',
      limitMinutes: 6,
      command: node('gpu/graphs', '--device', cuda, ...(isDryRun ? ['--batch', '1'] : [])),
    },
    {
      name: 'service',
      title: '64 clients: pixels per second, GPU use, batch fill, p99',
      limitMinutes: 4,
      command: service('--device', cuda, ...few),
    },
    {
      name: 'speed-cuda',
      title: 'speed by batch size on CUDA',
      limitMinutes: 6,
      command: rows(cuda, ...(isDryRun ? ['--pixels', '40000', '--batches', '1,2'] : [])),
    },
    {
      name: 'pytorch',
      title: 'the same networks in PyTorch, float16, eager and compiled',
      limitMinutes: 4,
      command: ['python3', 'scripts/gpu/torch_peer.py', ...(isDryRun ? ['--dry-run'] : [])],
    },
    {
      name: 'memory',
      title: 'memory of the worker and of the GPU over 2,000 jobs',
      limitMinutes: 6,
      command: service('--device', cuda, ...few, ...(isDryRun ? [] : ['--jobs', '2000'])),
    },
    {
      name: 'two-workers',
      title: 'two workers on one GPU',
      limitMinutes: 4,
      command: service('--device', cuda, '--workers', '2', ...few),
    },
    {
      name: 'speed-webgpu',
      title: 'speed by batch size on WebGPU',
      limitMinutes: isDryRun ? 10 : 6,
      command: rows('webgpu', ...(isDryRun ? TINY : [])),
      env: vulkan,
    },
    {
      name: 'swap',
      title: 'a model is replaced while jobs run',
      limitMinutes: 5,
      command: node('bench', 'swaps', '--json', '--device', cuda, '--count', isDryRun ? '1' : '5'),
    },
    {
      name: 'tensorrt',
      title: 'TensorRT against CUDA, if its libraries are installed',
      limitMinutes: 5,
      command: rows(
        isDryRun ? 'cpu' : 'tensorrt',
        '--operation',
        'upscale',
        ...(isDryRun ? ['--pixels', '40000', '--batches', '1'] : ['--batches', '1,8']),
      ),
    },
  ];
}

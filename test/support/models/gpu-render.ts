import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST, ROOT } from '../../../scripts/lib/paths.mjs';
import { SetupError } from '../../../scripts/lib/setup-error.mjs';
import { ensureSystemPackages, WEBGPU_NEEDS } from '../../../scripts/lib/system-packages.mjs';
import { childEnvironment } from '../../../src/config/child-environment.js';
import type { Level } from '../../../src/kernel/operations.js';

/** The Vulkan driver without a GPU that comes with Debian's Chromium. */
export const SWIFTSHADER = '/usr/lib/chromium/vk_swiftshader_icd.json';

export interface GpuOrder {
  readonly operation: string;
  readonly level: Level;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /** Renders only one tile, with the maps of an analysis on the CPU. */
  readonly only?: 'tile';
}

export interface GpuResult {
  readonly device: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: readonly number[];
}

export type GpuResults = Readonly<Record<'cpu' | 'webgpu', GpuResult>>;

/** Why the WebGPU provider cannot be tested here; undefined when it can. Installs the driver where it may. */
export function whyNoWebgpu(): string | undefined {
  if (process.platform !== 'linux') return 'SwiftShader comes from a Debian package';
  try {
    ensureSystemPackages(WEBGPU_NEEDS);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return error.message;
  }
  return existsSync(SWIFTSHADER) ? undefined : `${SWIFTSHADER} is missing`;
}

/**
 * Renders a small drawn picture with a committed model on the CPU and on WebGPU, in tiles of 8, in a separate process.
 * @param limitMs after which the process is killed
 * @throws Error with the output of the process when it fails or takes too long
 */
export async function renderOnBoth(order: GpuOrder, limitMs: number): Promise<GpuResults> {
  const dir = await mkdtemp(join(tmpdir(), 'ies-gpu-'));
  const file = join(dir, 'order.json');
  await writeFile(file, JSON.stringify({ ...order, tile: 8, dist: DIST, modelsDir: join(ROOT, 'models') }));
  const child = fork(join(import.meta.dirname, 'gpu-render.mjs'), [file], {
    env: childEnvironment({ VK_ICD_FILENAMES: SWIFTSHADER, XDG_RUNTIME_DIR: dir }),
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  try {
    const results = await new Promise<GpuResults | undefined>((resolve) => {
      child.once('message', (message) => resolve(message as GpuResults));
      child.once('close', () => resolve(undefined));
    });
    if (results === undefined)
      throw new Error(`${order.operation} fails or takes over ${limitMs / 1000} s:\n${said}`);
    return results;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  }
}

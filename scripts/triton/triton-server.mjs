import { spawn } from 'node:child_process';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { built } from '../lib/built.mjs';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { installedTriton } from './triton-home.mjs';

const MODEL = join(import.meta.dirname, 'model.py');
const READY_MS = 120_000;
const LOOK_MS = 100;

/**
 * Adapts an exported model repository to Triton from PyPI, which has no ONNX backend: a Python model runs the same
 * files with ONNX Runtime.
 * @param {string} repository
 */
export async function useOnnxRuntimeFromPython(repository) {
  for (const name of await readdir(repository)) {
    const folder = join(repository, name);
    const config = join(folder, 'config.pbtxt');
    const text = await readFile(config, 'utf8');
    await writeFile(config, text.replace('backend: "onnxruntime"', 'backend: "python"'));
    for (const version of await readdir(folder))
      if (/^\d+$/.test(version)) await copyFile(MODEL, join(folder, version, 'model.py'));
  }
}

/** A real Triton server as a process. */
export class TritonServer {
  #child;
  #log = '';

  /** @param {{ repository: string, threads?: number, port?: number }} options */
  constructor({ repository, threads = 1, port }) {
    this.repository = repository;
    this.threads = threads;
    this.port = port;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the server and waits until every model is loaded. The port stays the same after restarts. */
  async start() {
    const { packages, root, program, libraries } = installedTriton();
    const { freePort } = await built('infra/database/embedded/free-port.js');
    this.port ??= await freePort();
    this.#log = '';
    const options = {
      'model-repository': this.repository,
      'backend-directory': join(root, 'backends'),
      'http-address': '127.0.0.1',
      'http-port': this.port,
      'allow-grpc': false,
      'allow-metrics': false,
    };
    const child = spawn(
      program,
      Object.entries(options).map(([name, value]) => `--${name}=${value}`),
      {
        env: {
          ...process.env,
          PYTHONPATH: packages,
          LD_LIBRARY_PATH: [libraries, process.env.LD_LIBRARY_PATH ?? []].flat().join(':'),
          IES_TRITON_THREADS: String(this.threads),
          OMP_NUM_THREADS: '1',
          OPENBLAS_NUM_THREADS: '1',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        // Uses a separate process group, so that its Python processes end with it.
        detached: true,
      },
    );
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => (this.#log = (this.#log + data).slice(-20_000)));
    const exited = new Promise((resolve) => child.once('exit', resolve));
    this.exited = exited;
    // Ctrl-C of a terminal does not reach its process group.
    const killOnce = cleanupOnce(() => killGroup(child));
    void exited.then(killOnce);
    let isGone = false;
    void exited.then(() => (isGone = true));
    const untilMs = performance.now() + READY_MS;
    while (!(await this.isReady())) {
      if (isGone || performance.now() > untilMs) {
        this.kill();
        throw new Error(`Triton did not start:\n${this.#log}`);
      }
      await sleep(LOOK_MS);
    }
  }

  /** The end of its output. */
  get log() {
    return this.#log;
  }

  async isReady() {
    try {
      return (await fetch(`${this.url}/v2/health/ready`)).ok;
    } catch {
      return false;
    }
  }

  /** Sends `kill -9`, also to its Python processes. */
  kill() {
    killGroup(this.#child);
  }

  async close() {
    this.kill();
    await this.exited;
  }
}

function killGroup(child) {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

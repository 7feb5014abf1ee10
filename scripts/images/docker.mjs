import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildah } from './buildah.mjs';
import { CACHE } from './stand-ins.mjs';

/** Runs the `docker` program. @returns {string} its output @throws Error with its last lines */
export function docker(...args) {
  const result = spawnSync('docker', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (result.status === 0) return result.stdout.trim();
  throw failureOf(args, result);
}

function failureOf(args, { stdout, stderr, error }) {
  const lines = `${stdout}${stderr}${error?.message ?? ''}`.trim().split('\n');
  return new Error(`docker ${args.join(' ')} failed:\n${lines.slice(-30).join('\n')}`);
}

/**
 * Like `docker`, without blocking this process.
 * @param {readonly string[]} args
 * @param {AbortSignal} signal interrupts it
 * @returns {Promise<string>} after the program has ended
 */
export function dockerInBackground(args, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const interrupt = () => child.kill('SIGINT');
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    const result = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (chunk) => (result[name] += chunk));
    child.once('error', reject);
    child.once('close', (status) => {
      signal.removeEventListener('abort', interrupt);
      if (status === 0) resolve(result.stdout.trim());
      else reject(failureOf(args, result));
    });
  });
}

/** @returns {boolean} whether it succeeded */
docker.try = (...args) => spawnSync('docker', args, { stdio: 'ignore' }).status === 0;

export function hasDockerImage(name) {
  return docker.try('image', 'inspect', name);
}

/** Loads an image from Buildah's store into the engine under a name. */
export function loadImage(from, name) {
  const archive = join(CACHE, `load-${process.pid}.tar`);
  try {
    buildah('push', '--quiet', from, `docker-archive:${archive}:${name}`);
    docker('load', '--quiet', '--input', archive);
  } finally {
    rmSync(archive, { force: true });
  }
}

/** A sentence that says why Compose files cannot be started here; undefined when they can. */
export function missingEngine() {
  if (!docker.try('version')) return 'There is no Docker engine here; DOCKER_HOST may name one.';
  if (!docker.try('compose', 'version')) return 'The Docker CLI has no Compose plugin.';
  return undefined;
}

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildah } from './buildah.mjs';
import { CACHE } from './stand-ins.mjs';

/** Runs the `docker` program. @returns {string} its output @throws Error with its last lines */
export function docker(...args) {
  const result = spawnSync('docker', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (result.status === 0) return result.stdout.trim();
  const lines = `${result.stdout}${result.stderr}${result.error?.message ?? ''}`.trim().split('\n');
  throw new Error(`docker ${args.join(' ')} failed:\n${lines.slice(-30).join('\n')}`);
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

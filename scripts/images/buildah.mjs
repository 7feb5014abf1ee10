import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CACHE } from './stand-ins.mjs';

/** A separate store, so that a stand-in is never used in place of the real image with the same name. */
export const STORE = ['--root', join(CACHE, 'store'), '--runroot', join(CACHE, 'run')];

/** Runs Buildah with this store. @returns {string} its output @throws Error with its last lines */
export function buildah(...args) {
  const result = spawnSync('buildah', [...STORE, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (result.status === 0) return result.stdout.trim();
  const lines = `${result.stdout}${result.stderr}${result.error?.message ?? ''}`.trim().split('\n');
  throw new Error(`buildah ${args[0]} failed:\n${lines.slice(-20).join('\n')}`);
}

export function hasImage(name) {
  return buildah('images', '--format', '{{.Name}}:{{.Tag}}').split('\n').includes(name);
}

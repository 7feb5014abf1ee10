import { spawnSync } from 'node:child_process';
import { ROOT } from '../lib/paths.mjs';

/**
 * The timestamp of files and images, in seconds: `SOURCE_DATE_EPOCH`
 * (https://reproducible-builds.org/specs/source-date-epoch/), otherwise that of the last commit, otherwise 0.
 */
export function sourceEpochSeconds() {
  const given = Number(process.env.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct'));
  return Number.isInteger(given) ? given : 0;
}

/** The commit that the images are built from; empty outside of a clone. */
export function sourceRevision() {
  return process.env.SOURCE_REVISION ?? git('rev-parse', 'HEAD');
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

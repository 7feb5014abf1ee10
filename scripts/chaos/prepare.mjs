import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { setup } from '../lib/setup.mjs';
import { SetupError } from '../lib/setup-error.mjs';
import { ensureSystemPackages, trySystemPackages } from '../lib/system-packages.mjs';
import { FAKE_CLOCK_NEEDS } from './servers/fake-clock.mjs';

const CLIENT = join(ROOT, 'clients', 'js');

/**
 * Builds the service and, if necessary, the client library. Installs libfaketime where possible.
 * @param {{ redis: boolean }} needs whether a run uses Redis, which is then installed where possible
 * @throws SetupError
 */
export async function prepare({ redis }) {
  if (redis) ensureSystemPackages([{ binary: 'redis-server', package: 'redis-server' }]);
  await setup();
  const missing = trySystemPackages(FAKE_CLOCK_NEEDS);
  if (missing !== undefined) process.stderr.write(`Clock faults are skipped. ${missing}\n`);
  if (existsSync(join(CLIENT, 'dist', 'esm', 'node.js'))) return;
  const { status, stdout } = spawnSync(process.execPath, [join(CLIENT, 'scripts', 'build.mjs')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new SetupError(`The client library does not build:\n${stdout}`);
}

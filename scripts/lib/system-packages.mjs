import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SetupError } from './setup-error.mjs';

/**
 * Makes sure that programs of the system are there, which npm does not bring: installs the missing ones'
 * Debian packages when this is root on Debian.
 * @param {readonly { binary: string, package: string }[]} needs
 * @throws SetupError that names what to install
 */
export function ensureSystemPackages(needs) {
  const missing = needs.filter(({ binary }) => !isOnPath(binary));
  if (missing.length === 0) return;
  const names = missing.map((need) => need.package);
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    const programs = missing.map(({ binary }) => binary).join(', ');
    throw new SetupError(`Missing programs: ${programs}. Install them, on Debian as root with: ${command}`);
  }
  process.stderr.write(`Installing ${names.join(', ')} …\n`);
  run(['update', '-qq']);
  run(['install', '-y', '-qq', '--no-install-recommends', ...names]);
  const stillMissing = missing.filter(({ binary }) => !isOnPath(binary));
  if (stillMissing.length > 0) {
    throw new SetupError(
      `apt-get could not install ${names.join(', ')}; its lines are above. Try: ${command}`,
    );
  }
}

function run(args) {
  spawnSync('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 2, 2],
  });
}

function isOnPath(binary) {
  // Servers lie in sbin, which an ordinary user's PATH lacks.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, binary), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

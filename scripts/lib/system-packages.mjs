import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SetupError } from './setup-error.mjs';

/** Library folders of Debian packages, by architecture. */
const LIBRARY_FOLDERS = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib'];

/** Packages that let the WebGPU provider run without a GPU: SwiftShader and the Vulkan loader. */
export const WEBGPU_NEEDS = [
  {
    binary: 'SwiftShader',
    files: ['/usr/lib/chromium/vk_swiftshader_icd.json'],
    package: 'chromium-common',
  },
  {
    binary: 'libvulkan.so.1',
    files: LIBRARY_FOLDERS.map((folder) => join(folder, 'libvulkan.so.1')),
    package: 'libvulkan1',
  },
];

/**
 * Makes sure that system programs are installed that npm does not provide. Installs the Debian packages of missing ones
 * if this process is root on Debian.
 * @param {readonly { binary: string, files?: readonly string[], package: string }[]} needs `files`: alternatives, for
 *   things other than programs
 * @throws SetupError that names what to install
 */
export function ensureSystemPackages(needs) {
  const missing = needs.filter((need) => !isThere(need));
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
  const stillMissing = missing.filter((need) => !isThere(need));
  if (stillMissing.length > 0) {
    throw new SetupError(
      `apt-get could not install ${names.join(', ')}; its lines are above. Try: ${command}`,
    );
  }
}

/**
 * Like `ensureSystemPackages`, for optional programs.
 * @returns {string | undefined} a sentence that says why a program is missing and how to install it
 */
export function trySystemPackages(needs) {
  try {
    ensureSystemPackages(needs);
    return undefined;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return error.message;
  }
}

/** Seconds to wait for another installation, for example the automatic updates of a new machine. */
const LOCK_SECONDS = 300;

function run(args) {
  spawnSync('apt-get', ['-o', `DPkg::Lock::Timeout=${LOCK_SECONDS}`, ...args], {
    // In run level 1, no service is started, because only the programs are needed.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    stdio: ['ignore', 2, 2],
  });
}

function isThere({ binary, files }) {
  return files === undefined ? isOnPath(binary) : files.some((file) => existsSync(file));
}

function isOnPath(binary) {
  // Servers are in sbin, which is not on the PATH of ordinary users.
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

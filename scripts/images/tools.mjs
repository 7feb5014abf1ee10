import { spawnSync } from 'node:child_process';
import { trySystemPackages } from '../lib/system-packages.mjs';

/** The programs for building images without a registry. */
export const IMAGE_TOOLS = [
  { binary: 'buildah', package: 'buildah' },
  { binary: 'mmdebstrap', package: 'mmdebstrap' },
];

/**
 * Installs missing programs where possible.
 * @returns {string | undefined} a sentence that says why images cannot be built here
 */
export function missingTools() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Images are built and started as root on Linux (chroot isolation).';
  return trySystemPackages(IMAGE_TOOLS) ?? missingRight();
}

/** Like `missingTools`, without installing anything. */
export function whyNoImages() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const missing = IMAGE_TOOLS.filter(({ binary }) => spawnSync(binary, ['--version']).status !== 0);
  if (missing.length > 0) return `needs ${missing.map(({ binary }) => binary).join(' and ')}`;
  return missingRight();
}

/** A container without the right to mount cannot change the root of a process. */
function missingRight() {
  const probe = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']);
  return probe.status === 0 ? undefined : 'Namespaces are not allowed here, which images need to start.';
}

import { spawnSync } from 'node:child_process';
import { trySystemPackages } from '../lib/system-packages.mjs';

/** What the images are built with where there is no registry. */
export const IMAGE_TOOLS = [
  { binary: 'buildah', package: 'buildah' },
  { binary: 'mmdebstrap', package: 'mmdebstrap' },
];

/** Installs what it can. @returns {string | undefined} why images cannot be built here, in a sentence */
export function missingTools() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Images are built and started as root on Linux (chroot isolation).';
  return trySystemPackages(IMAGE_TOOLS) ?? missingRight();
}

/** The same without installing anything. */
export function whyNoImages() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const missing = IMAGE_TOOLS.filter(({ binary }) => spawnSync(binary, ['--version']).status !== 0);
  if (missing.length > 0) return `needs ${missing.map(({ binary }) => binary).join(' and ')}`;
  return missingRight();
}

/** Containers without the right to mount cannot give a process another root. */
function missingRight() {
  const probe = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']);
  return probe.status === 0 ? undefined : 'Namespaces are not allowed here, which images need to start.';
}

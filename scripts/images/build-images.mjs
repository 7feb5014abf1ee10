import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { ROOT } from '../lib/paths.mjs';
import { assembleImages } from './assemble.mjs';
import { buildah, hasImage } from './buildah.mjs';
import { sourceEpochSeconds, sourceRevision } from './source-epoch.mjs';
import { CACHE, debianBase, nodeContext } from './stand-ins.mjs';

/** The images that are built as they are published, but for their base. */
export const BUILT_HERE = ['api', 'dispatcher', 'worker', 'all-in-one'];
/** Built on Debian and without the CUDA provider, to see that every other line of its stage works. */
export const WITHOUT_CUDA = 'worker-cuda';

const BASE_IMAGE = 'localhost/stand-in/debian:bookworm-slim';

/**
 * Builds images of docker/Dockerfile without a registry: Debian is a stand-in, and what the stages `source` and `node`
 * would make comes from this machine. Every other line of the Dockerfile runs.
 * @param {readonly string[]} targets of `BUILT_HERE` and `WITHOUT_CUDA`
 * @param {readonly string[]} options further ones of `buildah bud`
 * @returns {Promise<{ nodeVersion: string, images: { target: string, name: string }[] }>}
 */
export async function buildImages(targets, say, options = []) {
  const node = nodeContext(say);
  forgetOlderLayers();
  await importBase(say);
  const source = join(CACHE, 'source');
  assembleImages(source);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const images = [];
  for (const target of targets) {
    // Between two programs the process answers others, such as the runner of specs.
    await pause();
    say(`Building the image ${target} …`);
    const name = `localhost/ies/${target}:${version}`;
    buildah(
      'bud',
      '--pull-never',
      '--isolation=chroot',
      // The other format has no HEALTHCHECK.
      '--format=docker',
      '--layers',
      `--timestamp=${sourceEpochSeconds()}`,
      `--target=${target}`,
      `--build-context=source=${source}`,
      `--build-context=cuda=${source}`,
      `--build-context=node=${node.context}`,
      `--build-arg=BASE_IMAGE=${BASE_IMAGE}`,
      `--build-arg=CUDA_IMAGE=${BASE_IMAGE}`,
      `--build-arg=VERSION=${version}`,
      `--build-arg=SOURCE_REVISION=${sourceRevision()}`,
      ...options,
      `--tag=${name}`,
      `--file=${join(ROOT, 'docker', 'Dockerfile')}`,
      join(ROOT, 'docker'),
    );
    images.push({ target, name });
  }
  return { nodeVersion: node.version, images };
}

/** Layers carry the time of the sources, so those of another commit are not reused. */
function forgetOlderLayers() {
  const path = join(CACHE, 'epoch');
  const epoch = String(sourceEpochSeconds());
  if (existsSync(path) && readFileSync(path, 'utf8') === epoch) return;
  buildah('rmi', '--all', '--force');
  writeFileSync(path, epoch);
}

async function importBase(say) {
  const archive = await debianBase(say);
  if (hasImage(BASE_IMAGE)) return;
  const container = buildah('from', 'scratch');
  try {
    buildah('add', container, archive, '/');
    buildah('commit', '--timestamp=0', container, BASE_IMAGE);
  } finally {
    buildah('rm', container);
  }
}

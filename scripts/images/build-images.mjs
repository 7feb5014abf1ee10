import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { ROOT } from '../lib/paths.mjs';
import { assembleImages } from './assemble.mjs';
import { buildah, hasImage } from './buildah.mjs';
import { sourceEpochSeconds, sourceRevision } from './source-epoch.mjs';
import { CACHE, debianBase, nodeContext } from './stand-ins.mjs';

/** The images that are built like the published ones, except for their base. */
export const BUILT_HERE = ['api', 'dispatcher', 'worker', 'all-in-one'];
/** Built on Debian and without the CUDA provider, to test every other line of its stage. */
export const WITHOUT_CUDA = 'worker-cuda';

const BASE_IMAGE = 'localhost/stand-in/debian:bookworm-slim';
/** The stage of docker/Dockerfile that the images of `BUILT_HERE` begin with. */
const SHARED_STAGE = 'service';

/**
 * Builds images of docker/Dockerfile without a registry. A stand-in replaces Debian, and this machine provides the
 * output of the stages `source` and `node`. Every other line of the Dockerfile runs.
 * @param {readonly string[]} targets of `BUILT_HERE` and `WITHOUT_CUDA`
 * @param {readonly string[]} options additional options of `buildah bud`
 * @returns {Promise<{ nodeVersion: string, images: { target: string, name: string }[] }>}
 */
export async function buildImages(targets, say, options = []) {
  const node = nodeContext(say);
  forgetOlderLayers();
  await importBase(say);
  const source = join(CACHE, 'source');
  assembleImages(source, node.version);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const build = async (target, contexts) => {
    // Between two programs, the process must respond to others, such as the spec runner.
    await pause();
    say(`Building the image ${target} …`);
    const name = `localhost/ies/${target}:${version}`;
    buildah(
      'bud',
      '--pull-never',
      '--isolation=chroot',
      // The other format does not support HEALTHCHECK.
      '--format=docker',
      '--layers',
      `--timestamp=${sourceEpochSeconds()}`,
      `--target=${target}`,
      ...Object.entries(contexts).map(([stage, context]) => `--build-context=${stage}=${context}`),
      `--build-arg=BASE_IMAGE=${BASE_IMAGE}`,
      `--build-arg=CUDA_IMAGE=${BASE_IMAGE}`,
      `--build-arg=VERSION=${version}`,
      `--build-arg=SOURCE_REVISION=${sourceRevision()}`,
      ...options,
      `--tag=${name}`,
      `--file=${join(ROOT, 'docker', 'Dockerfile')}`,
      join(ROOT, 'docker'),
    );
    return { target, name };
  };
  const contexts = { source, cuda: source, node: node.context };
  // To look a layer up, Buildah copies its files. Each image would copy those of the shared stage again.
  if (targets.some((target) => BUILT_HERE.includes(target))) {
    const shared = await build(SHARED_STAGE, contexts);
    contexts[SHARED_STAGE] = `container-image://${shared.name}`;
  }
  const images = [];
  for (const target of targets) images.push(await build(target, contexts));
  return { nodeVersion: node.version, images };
}

/** Layers contain the time of the sources, so those of other commits cannot be reused. */
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

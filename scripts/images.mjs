// `npm run images -- build|test|sizes`: the container images of docker/Dockerfile; see docs/containers.md.
import { resolve } from 'node:path';
import { assembleImages } from './images/assemble.mjs';
import { BUILT_HERE, buildImages } from './images/build-images.mjs';
import { missingEngine } from './images/docker.mjs';
import { imageSizes } from './images/image-sizes.mjs';
import { missingTools } from './images/tools.mjs';
import { packageBin, runNode } from './lib/check.mjs';
import { runScript } from './lib/run-script.mjs';
import { SetupError } from './lib/setup-error.mjs';
import { setup } from './lib/setup.mjs';

const COMMANDS = {
  assemble: 'lays what the images hold into a folder; the build stage of docker/Dockerfile calls it',
  build: `builds images with Buildah: ${BUILT_HERE.join(', ')}; default: all of them. Prints their sizes`,
  compose: 'starts docker/compose.yaml and compose.s3.yaml with a Docker engine, from nothing to a result',
  sizes: 'the same as build',
  test: 'builds and starts them: test/images',
};

await runScript({
  invocation: 'npm run images --',
  description: [
    'Container images. See docs/containers.md.',
    '',
    ...Object.entries(COMMANDS).map(([name, text]) => `  ${name}: ${text}`),
  ].join('\n'),
  declare: (program, { choiceArgument }) =>
    program
      .addArgument(choiceArgument('<command>', 'what to do', Object.keys(COMMANDS)))
      .argument('[names...]', 'the folder of assemble, the images of build'),
  main: async (_options, [command, names]) => {
    if (command === 'assemble') await assemble(names);
    else if (command === 'compose') await compose();
    else if (command === 'test') process.exitCode = await test();
    else await build(names);
  },
});

async function assemble([folder, ...others]) {
  if (folder === undefined || others.length > 0) throw new SetupError('assemble takes one folder.', 2);
  await setup();
  assembleImages(resolve(folder));
}

async function build(targets) {
  const missing = missingTools();
  if (missing !== undefined) throw new SetupError(missing);
  const unknown = targets.find((target) => !BUILT_HERE.includes(target));
  if (unknown !== undefined) throw new SetupError(`"${unknown}" is not one of ${BUILT_HERE.join(', ')}.`, 2);
  await setup();
  const built = await buildImages(targets.length === 0 ? BUILT_HERE : targets, say);
  for (const { target, name, bytes } of imageSizes(built.images))
    process.stdout.write(`${target}: ${name}, ${Math.round(bytes / 1e6)} MB\n`);
}

async function compose() {
  const missing = missingTools() ?? missingEngine();
  if (missing !== undefined) throw new SetupError(missing);
  await setup();
  // Imported here, because the build of an image begins without any packages.
  const { runCompose } = await import('./images/compose-run.mjs');
  await runCompose(say);
}

/** @returns the exit code */
async function test() {
  await setup();
  return (await runNode([packageBin('vitest', 'vitest.mjs'), 'run', 'test/images'], 'show')).code;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

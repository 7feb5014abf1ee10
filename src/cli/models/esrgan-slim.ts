import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installedNotes, installedText } from './add/installed-notes.js';
import { installVersion } from './install-version.js';
import { type ModelsAnswer, type ModelsCommand, ModelsError, requireOwnFolder } from './models-command.js';

/** In place of a file or a name in the catalog. */
export const ESRGAN_SLIM = 'esrgan-slim';
/** Receptive field of all layers: 11 source pixels (eight 3×3 kernels, one 5×5 kernel, and the enlargement). */
const HALO = 12;
const TILE = 128;
const FACTORS = [2, 4] as const;

/**
 * Adds UpscalerJS' ESRGAN Slim (MIT, the npm package `@upscalerjs/esrgan-slim`) to the model repository as the next
 * version of `upscale`. The files are TensorFlow.js layers models, so the engine is `tensorflow`.
 * @throws ModelsError when the package is not installed, or the version fails its check
 */
export const addEsrganSlim: ModelsCommand = async (context) => {
  requireOwnFolder(context.config);
  context.progress.begin(1, 'copying the files');
  const { folder } = await installVersion(context, 'upscale', writeEsrganSlim);
  context.progress.end();
  return addedEsrganSlim(folder);
};

/** @param folder of the installed version */
export async function addedEsrganSlim(folder: string): Promise<ModelsAnswer> {
  const notes = await installedNotes(folder);
  return { json: { name: ESRGAN_SLIM, folder, ok: true, notes }, text: installedText(folder, notes) };
}

/** Fills a version folder. @throws ModelsError when the package is not installed */
export async function writeEsrganSlim(draft: string): Promise<void> {
  const entry = packageEntry();
  const home = entry.slice(0, entry.indexOf(join('esrgan-slim', 'dist')) + 'esrgan-slim'.length);
  const stages: Record<string, unknown> = {};
  for (const factor of FACTORS) stages[`x${factor}`] = await addStage(home, draft, factor);
  await cp(join(home, 'LICENSE'), join(draft, 'LICENSE'));
  await writeFile(join(draft, 'manifest.json'), `${JSON.stringify(manifest(stages), null, 2)}\n`);
}

async function addStage(home: string, draft: string, factor: number): Promise<unknown> {
  const from = join(home, 'models', `x${factor}`);
  const model = JSON.parse(await readFile(join(from, 'model.json'), 'utf8')) as {
    weightsManifest: { paths: string[] }[];
  };
  const weights: Record<string, string> = {};
  for (const group of model.weightsManifest) {
    group.paths = await Promise.all(
      group.paths.map(async (path) => {
        const name = `x${factor}-${path}`;
        await cp(join(from, path), join(draft, name));
        weights[name] = await sha256(join(draft, name));
        return name;
      }),
    );
  }
  const file = `x${factor}.json`;
  await writeFile(join(draft, file), JSON.stringify(model));
  return {
    kind: 'render',
    file,
    sha256: await sha256(join(draft, file)),
    tile: TILE,
    halo: HALO,
    scale: factor,
    maxBatch: 4,
    maxDelayMs: 5,
    tensorflow: { inputRange: [0, 255], outputRange: [0, 255], weights },
  };
}

function manifest(stages: Record<string, unknown>): unknown {
  return {
    name: 'esrgan-slim',
    operation: 'upscale',
    description: 'ESRGAN Slim of UpscalerJS: ×2 and ×4 through TensorFlow.js.',
    engine: 'tensorflow',
    license: 'MIT',
    source: 'https://www.npmjs.com/package/@upscalerjs/esrgan-slim',
    trainedOn: 'DIV2K',
    stages,
    levels: {
      low: { strength: 1, render: 'x2' },
      medium: { strength: 1, render: 'x2' },
      high: { strength: 1, render: 'x4' },
    },
  };
}

async function sha256(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** @throws ModelsError when the optional package is not installed */
function packageEntry(): string {
  try {
    return createRequire(import.meta.url).resolve('@upscalerjs/esrgan-slim');
  } catch {
    throw new ModelsError(
      'The npm package @upscalerjs/esrgan-slim is not installed: npm install @upscalerjs/esrgan-slim',
    );
  }
}

import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPERATION_NAME } from '../../models/manifest/manifest-shape.js';
import { decodeImage } from '../../infra/image/codec/decode.js';
import { SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import { UsageError } from '../command-line.mjs';
import { addEsrganSlim } from './esrgan-slim.js';
import { inspect } from './add/inspect.js';
import { readModelSource } from './add/model-source.js';
import { type Facts, propose, type Proposal } from './add/propose.js';
import { requireLoadable } from './add/require-loadable.js';
import { installVersion } from './install-version.js';
import {
  type ModelsAnswer,
  type ModelsCommand,
  type ModelsContext,
  requireOwnFolder,
} from './models-command.js';

/** In place of a file: the TensorFlow.js model that comes with the packages. */
const ESRGAN_SLIM = 'esrgan-slim';

interface AddOptions {
  readonly operation?: string;
  readonly name?: string;
  readonly licence?: string;
  readonly source?: string;
  readonly trainedOn?: string;
  readonly force?: true;
}

const PHOTO = fileURLToPath(new URL('../../../scripts/assets/astronaut.png', import.meta.url));

/**
 * `models add <file> --operation …`: tries a model file of any make, writes what it found out as a manifest and
 * installs it as the next version. Asks nothing; what a file does not tell can be said in options.
 */
export function addModel(path: string, options: AddOptions): ModelsCommand {
  if (path === ESRGAN_SLIM) return bundled;
  const facts = factsOf(options, path);
  return (context) => added(context, path, facts, options.force === true);
}

const bundled: ModelsCommand = async ({ config }) => {
  requireOwnFolder(config);
  const folder = await addEsrganSlim(config.modelsDir);
  return { json: { folder, ok: true }, text: `Installed: ${folder}`, failed: false };
};

async function added(
  context: ModelsContext,
  path: string,
  facts: Facts,
  isForced: boolean,
): Promise<ModelsAnswer> {
  const { progress } = context;
  requireOwnFolder(context.config);
  const file = `${safeName(path)}${extname(path)}`;
  progress.begin(1, 'trying the model');
  const { model, sha256, external } = await readModelSource(path);
  await requireLoadable(path);
  const photo = await decodeImage(await readFile(PHOTO), { maxPixels: 1e8 });
  const found = await inspect(model, dirname(resolve(path)), photo);
  const proposal = propose(found, facts, file, sha256);
  const { folder, verdict } = await installVersion(
    context,
    facts.operation,
    (draft) => written(draft, { path, file, proposal, external }),
    isForced,
  );
  progress.end();
  const state = verdict.ok ? `Installed: ${folder}` : `${verdict.refusal.message} It lies in ${folder}.`;
  return {
    json: { folder, ok: verdict.ok, manifest: proposal.manifest, notes: proposal.notes },
    text: [state, summary(found), ...proposal.notes.map((note) => `Look at ${note}`)].join('\n'),
    failed: !verdict.ok,
  };
}

function factsOf(options: AddOptions, path: string): Facts {
  const { operation } = options;
  if (operation === undefined || !OPERATION_NAME.test(operation)) {
    throw new UsageError(
      `--operation must be ${SPECIFIED_OPERATIONS.join(', ')} or a new name of lowercase letters, digits and underscores.`,
    );
  }
  return {
    operation,
    name: options.name ?? safeName(path),
    licence: options.licence ?? 'NOASSERTION',
    source: options.source ?? basename(path),
    trainedOn: options.trainedOn ?? 'not stated',
  };
}

function safeName(path: string): string {
  return (
    basename(path, extname(path))
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '') || 'model'
  );
}

async function written(
  draft: string,
  {
    path,
    file,
    proposal,
    external,
  }: { path: string; file: string; proposal: Proposal; external: Readonly<Record<string, string>> },
): Promise<void> {
  await copyFile(path, join(draft, file));
  for (const name of Object.keys(external)) await copyFile(join(dirname(path), name), join(draft, name));
  const { manifest } = proposal;
  if (Object.keys(external).length > 0) {
    for (const stage of Object.values(manifest['stages'] as Record<string, Record<string, unknown>>))
      if (stage['file'] === file) stage['external'] = external;
  }
  await writeFile(join(draft, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function summary({ input, output, scale, reach }: Awaited<ReturnType<typeof inspect>>): string {
  const { size } = input;
  const sizes =
    size.mode === 'fixed'
      ? `${size.height} × ${size.width} alone`
      : size.mode === 'any'
        ? 'any size'
        : `multiples of ${size.of}`;
  const reaches = reach === null ? 'the whole image counts' : `${reach} pixels to each side count`;
  return `Found: ${input.name} ${input.layout} ${input.dtype} ${input.channels} [${input.range.join(', ')}], ${sizes}; ${output.name} is ${output.meaning}, ×${scale}; ${reaches}.`;
}

import { copyFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OPERATION_NAME } from '../../models/manifest/manifest-shape.js';
import { SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import { UsageError } from '../command-line.mjs';
import type { AddedModel } from './add/added-model.js';
import { onnxModel } from './add/onnx-model.js';
import { questionAnswer } from './add/open-question.js';
import { tensorflowModel } from './add/tensorflow-model.js';
import { addEsrganSlim, ESRGAN_SLIM } from './esrgan-slim.js';
import {
  type GivenReading,
  givenReading,
  mergedReading,
  type ReadingOptions,
  requireRangesOnly,
} from './add/readings/given-reading.js';
import { inspect, type Inspection } from './add/inspect.js';
import { type Facts, propose, type Proposal } from './add/propose.js';
import { installedNotes, installedText } from './add/installed-notes.js';
import { installVersion } from './install-version.js';
import {
  type ModelsAnswer,
  type ModelsCommand,
  type ModelsContext,
  requireOwnFolder,
} from './models-command.js';

interface AddOptions extends ReadingOptions {
  readonly operation?: string;
  readonly name?: string;
  readonly license?: string;
  readonly source?: string;
  readonly trainedOn?: string;
  readonly force?: true;
}

/** Steps of the progress bar. The remaining ones are skipped when a model needs fewer. */
const STEPS = 24;

/**
 * `models add <file> --operation …`: runs a model file of any supported format, writes a manifest with the findings,
 * and installs it as the next version. If several readings are plausible, it shows them and asks for options.
 */
export function addModel(path: string, options: AddOptions): ModelsCommand {
  if (path === ESRGAN_SLIM) return addEsrganSlim;
  const given = givenReading(options);
  requireOperation(options);
  return (context) => added(context, path, options, given);
}

async function added(
  context: ModelsContext,
  path: string,
  options: AddOptions,
  given: GivenReading,
): Promise<ModelsAnswer> {
  const { progress } = context;
  requireOwnFolder(context.config);
  progress.begin(STEPS, 'reading the file');
  const model = (await tensorflowModel(path)) ?? (await onnxModel(path));
  const { known } = model;
  if (model.graph.weights !== undefined) requireRangesOnly(options);
  let step = 0;
  const onStep = (doing: string): void => progress.to((step += 1), doing);
  onStep('loading the model');
  const probe = await model.open();
  const reading = mergedReading(known?.reading ?? {}, given, probe.ports.input.dtype);
  const found = await inspect(probe, model.leftOut, reading, onStep);
  if ('candidates' in found) {
    progress.end();
    return questionAnswer(model.folder, model.name, found);
  }
  const facts = factsOf(options, model, path);
  // For a published file, the input format is known, regardless of its results for drawings.
  const doubt = known?.origin === undefined || given.range !== undefined ? found.doubt : null;
  const proposal = propose({ ...found, doubt }, facts, model.graph);
  const { folder, verdict } = await installVersion(
    context,
    facts.operation,
    (draft) => written(draft, model, proposal),
    options.force === true,
    onStep,
  );
  progress.end();
  const notes = verdict.ok ? [...proposal.notes, ...(await installedNotes(folder))] : proposal.notes;
  const knownFrom = known !== null && isUsed(known.reading, reading) ? known.from : undefined;
  const told = knownFrom === undefined ? [] : [`How it is fed was read from ${knownFrom}.`];
  const lines = [...told, summary(found)];
  return {
    json: { folder, ok: verdict.ok, manifest: proposal.manifest, notes, knownFrom },
    text: verdict.ok
      ? installedText(folder, notes, lines)
      : [
          `${verdict.refusal.message} It lies in ${folder}.`,
          ...lines,
          ...notes.map((note) => `Look at ${note}`),
        ].join('\n'),
    failed: !verdict.ok,
  };
}

/** Whether the reading contains any of the facts. */
function isUsed(facts: GivenReading, reading: GivenReading): boolean {
  return Object.keys(facts).some(
    (key) => facts[key as keyof GivenReading] === reading[key as keyof GivenReading],
  );
}

function requireOperation({ operation }: AddOptions): void {
  if (operation !== undefined && OPERATION_NAME.test(operation)) return;
  throw new UsageError(
    `--operation must be ${SPECIFIED_OPERATIONS.join(', ')} or a new name of lowercase letters, digits and underscores.`,
  );
}

function factsOf(
  { operation, name, license, source, trainedOn }: AddOptions,
  model: AddedModel,
  path: string,
): Facts {
  const origin = model.known?.origin ?? {};
  const text = (key: string): string | undefined => origin[key] as string | undefined;
  return {
    operation: operation!,
    name: name ?? text('name') ?? model.name,
    license: license ?? text('license') ?? 'NOASSERTION',
    source: source ?? text('source') ?? basename(path),
    trainedOn: trainedOn ?? text('trainedOn') ?? 'not stated',
  };
}

async function written(draft: string, model: AddedModel, { manifest }: Proposal): Promise<void> {
  const { external, graph, folder, path } = model;
  await copyFile(path, join(draft, graph.file));
  for (const beside of Object.keys({ ...external, ...graph.weights }))
    await copyFile(join(folder, beside), join(draft, beside));
  if (Object.keys(external).length > 0) {
    for (const stage of Object.values(manifest['stages'] as Record<string, Record<string, unknown>>))
      if (stage['file'] === graph.file) stage['external'] = external;
  }
  await writeFile(join(draft, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function summary({ input, output, scale, reach }: Inspection): string {
  const { size } = input;
  const sizes =
    size.mode === 'fixed'
      ? `only ${size.height} × ${size.width}`
      : size.mode === 'any'
        ? 'any size'
        : `multiples of ${size.of}`;
  const normalized =
    input.mean === undefined ? '' : ` mean ${input.mean.join(', ')} std ${(input.std ?? [1]).join(', ')}`;
  const field = reach === null ? 'the whole image' : `${reach} pixel${reach === 1 ? '' : 's'} on each side`;
  return `Found: input ${input.name}: ${input.layout} ${input.dtype} ${input.channels} [${input.range.join(', ')}]${normalized}, ${sizes}; output ${output.name}: ${output.meaning}, ×${scale}; receptive field: ${field}.`;
}

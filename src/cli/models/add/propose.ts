import { valueText } from '../../../models/onnx/model-head.js';
import { LEVELS } from '../../../kernel/operations.js';
import { ModelsError } from '../models-command.js';
import type { Inspection } from './inspect.js';
import { isNativeInput } from './ports.js';
import { normalizationOptions } from './readings/normalization.js';

type Json = Record<string, unknown>;

/** Facts that only the user knows. */
export interface Facts {
  readonly name: string;
  readonly operation: string;
  readonly license: string;
  readonly source: string;
  readonly trainedOn: string;
}

/** A manifest, and what the user should check in it. */
export interface Proposal {
  readonly manifest: Json;
  readonly notes: readonly string[];
}

const TILE = 256;
const WHOLE_IMAGE = 512;
const MIN_HALO = 8;
/** Halo of a graph whose results depend on the whole image. */
const WIDEST_HALO = 64;
/** Blend strengths of low, medium, and high for a result of the same size as its source. */
const STRENGTHS = { low: 0.35, medium: 0.65, high: 1 } as const;

/** The graph file in the folder of the manifest. */
export interface GraphFile {
  readonly file: string;
  readonly sha256: string;
  /** For a TensorFlow.js model: the hash of each weight file. */
  readonly weights?: Readonly<Record<string, string>>;
}

/** @throws ModelsError for properties that a manifest cannot express */
export function propose(found: Inspection, facts: Facts, graph: GraphFile): Proposal {
  const { file, sha256, weights } = graph;
  const isMap = found.output.meaning === 'alpha' || found.output.meaning === 'logits';
  const onnx = isMap ? cutout : picture;
  const { stages, levels } =
    weights === undefined ? onnx(found, file, sha256) : tensorflowPicture(found, graph);
  const { name, operation, ...rest } = facts;
  const description = isMap ? 'Finds the subject and removes the rest.' : `Makes pictures ×${found.scale}.`;
  const manifest = {
    $schema: '../../manifest.schema.json',
    name,
    operation,
    description,
    engine: weights === undefined ? 'onnx' : 'tensorflow',
    ...rest,
    stages,
    levels,
  };
  return { manifest, notes: notesOn(found, facts, isMap) };
}

function picture(found: Inspection, file: string, sha256: string): { stages: Json; levels: Json } {
  const { input, output, scale, maxBatch } = found;
  const isOurs = isNative(found);
  const blends = scale === 1 && !isOurs;
  const stage = {
    kind: 'render',
    file,
    sha256,
    ...tiling(found),
    scale,
    maxBatch,
    maxDelayMs: 5,
    ...(isOurs ? {} : { input, output: blends ? { ...output, strength: 'blend' } : output }),
  };
  const levels = LEVELS.map(
    (level) => [level, { strength: blends ? STRENGTHS[level] : 1, render: 'picture' }] as const,
  );
  return { stages: { picture: stage }, levels: Object.fromEntries(levels) };
}

/** Whether the graph takes and gives the service's own pixels. Such a graph needs no adapter. */
function isNative({ input, output }: Inspection): boolean {
  const isOutput = output.dtype === 'uint8' && output.layout === 'NHWC' && output.channels === 'RGB';
  return isOutput && isNativeInput(input) && input.channels === 'RGB';
}

/** The TensorFlow.js engine supports ranges and pictures of any size, but no adapters. */
function tensorflowPicture(found: Inspection, graph: GraphFile): { stages: Json; levels: Json } {
  const { input, output, scale, maxBatch } = found;
  if (output.meaning !== 'image' || input.size.mode === 'fixed')
    throw new ModelsError(
      'Of TensorFlow.js models, this command adds those that make pictures of any size. Write the manifest by hand, see "TensorFlow.js models" in models/README.md.',
    );
  const stage = {
    kind: 'render',
    file: graph.file,
    sha256: graph.sha256,
    ...tiling(found),
    scale,
    maxBatch,
    maxDelayMs: 5,
    tensorflow: { inputRange: input.range, outputRange: output.range, weights: graph.weights },
  };
  const level = { strength: 1, render: 'picture' };
  return { stages: { picture: stage }, levels: Object.fromEntries(LEVELS.map((name) => [name, level])) };
}

function tiling({ input: { size }, reach }: Inspection): { readonly tile: number; readonly halo: number } {
  const step = size.mode === 'multiple-of' ? Math.max(MIN_HALO, size.of) : MIN_HALO;
  const halo = Math.max(MIN_HALO, Math.ceil((reach ?? WIDEST_HALO) / step) * step);
  if (size.mode !== 'fixed') return { tile: TILE, halo };
  if (size.height !== size.width)
    throw new ModelsError(
      `The model takes ${size.height} × ${size.width} alone; tiles are square. Export it with free axes.`,
    );
  // With a fixed size, the halo reduces the usable part of the tile.
  const fits = Math.min(halo, Math.floor((size.height - 16) / 16) * 8);
  return { tile: size.height - 2 * fits, halo: fits };
}

function cutout(found: Inspection, file: string, sha256: string): { stages: Json; levels: Json } {
  const { input, output, maxBatch } = found;
  const size = input.size.mode === 'fixed' ? input.size.height : WHOLE_IMAGE;
  const isSquare = input.size.mode !== 'fixed' || input.size.height === input.size.width;
  const stages = {
    subject: {
      kind: 'analyse',
      file,
      sha256,
      size,
      outputs: { alpha: [1, size, size] },
      maxBatch,
      maxDelayMs: 5,
      input: isSquare ? input : { ...input, resize: 'stretch' },
      output,
    },
    cutout: { kind: 'matte', analyse: 'subject', map: 'alpha', tile: TILE, maxBatch: 4, maxDelayMs: 5 },
  };
  const level = { strength: 1, analyse: 'subject', render: 'cutout' };
  return { stages, levels: Object.fromEntries(LEVELS.map((name) => [name, level])) };
}

function notesOn(
  { input, output, reach, leftOut, isOrderOpen, otherInputs, doubt, alike }: Inspection,
  { license }: Facts,
  isMap: boolean,
): readonly string[] {
  return [
    ...(isOrderOpen
      ? [
          'channels: RGB was taken; a model made with OpenCV may want BGR, which the pictures do not show. Pass --channels.',
        ]
      : []),
    ...(alike > 1
      ? [
          `range, mean and std: ${alike} usual ones give the same maps of drawings, and ${normalizationOptions(input)} was taken. Compare with the model's own code.`,
        ]
      : []),
    ...(otherInputs.length > 0
      ? [
          `range, mean and std: ${normalizationOptions(input)} was taken, but the residual gives another plausible picture with ${otherInputs.map(normalizationOptions).join(' or ')}. Compare with the model's own code.`,
        ]
      : []),
    ...(doubt === null
      ? []
      : [`range, mean and std: they were taken as given, although the result ${doubt}.`]),
    ...(reach === null && !isMap
      ? ['halo: the result depends on the whole tile, so seams are possible; compare with models sheet.']
      : []),
    ...(leftOut.length > 0
      ? [
          `outputs: ${output.name} was taken; ${leftOut.map(valueText).join(' and ')} ${leftOut.length === 1 ? 'was' : 'were'} left out. Write the manifest by hand to take another.`,
        ]
      : []),
    ...(license === 'NOASSERTION' ? ['license: unknown; pass --license.'] : []),
  ];
}

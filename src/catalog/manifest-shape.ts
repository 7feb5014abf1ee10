import { LEVELS } from '../kernel/operations.js';
import {
  dictionary,
  type JsonSchema,
  list,
  matching,
  object,
  real,
  type Shape,
  variants,
  whole,
  word,
} from './shape.js';

/** Name of an operation: a folder of the model repository and a value of the API's `operation`. */
export const OPERATION_NAME = /^[a-z][a-z0-9_]{0,63}$/;

const sentence = (description: string): Shape => matching(/\S/, 'a text that is not empty', description);

const stageName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const stageNameText = 'letters, digits, dots, dashes and underscores';

const everyStage = {
  file: matching(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'the name of a file in the same folder, without a path',
    'Name of the graph file, beside this manifest.',
  ),
  sha256: matching(/^[0-9a-f]{64}$/, '64 lowercase hex digits', 'SHA-256 of the file (`sha256sum <file>`).'),
  maxBatch: whole(1, 64, 'Most items one run may take.'),
  maxDelayMs: whole(0, 1000, 'How long an item may wait for company while the device is busy.'),
};

const valueRange = (description: string): Shape =>
  list(real(-1_000_000, 1_000_000, 'Black, then white.'), 2, description);

/** What stands only in stages of the engine `tensorflow`. */
const tensorflowStage = object(
  {
    inputRange: valueRange('What the model wants bytes 0 and 255 to become, for example [0, 1].'),
    weights: dictionary(
      /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
      'the name of a file in the same folder, without a path',
      matching(/^[0-9a-f]{64}$/, '64 lowercase hex digits', 'SHA-256 of the file.'),
      'Every weight file that model.json names.',
    ),
  },
  { outputRange: valueRange('Render stages: what the model gives for bytes 0 and 255.') },
);

const analyseStage = object(
  {
    kind: word(['analyse'], 'Sees the whole image, squashed to size × size.'),
    ...everyStage,
    size: whole(16, 2048, 'Edge of the square that the whole image is resized to.'),
    outputs: dictionary(
      /^(?!(image|strength|window)$)[A-Za-z_][A-Za-z0-9_]*$/,
      'letters, digits and underscores, and not image, strength or window',
      list(whole(1, 1_000_000, 'One axis.'), 1, 'Shape of one item: without the batch axis.'),
      'The float32 outputs, which the render graph may take by the same names.',
    ),
  },
  {
    tensorflow: tensorflowStage,
    noSubject: object({
      output: sentence('A one-number output of this stage.'),
      below: real(0, 1, 'The job fails with `no_subject_found` when the output is below this.'),
    }),
  },
);

const renderStage = object(
  {
    kind: word(['render'], 'Sees equal tiles of the full-resolution image.'),
    ...everyStage,
    tile: whole(16, 2048, 'Edge of the useful part of a tile; the graph sees tile + 2 × halo.'),
    halo: whole(0, 512, 'Pixels around the useful part: at least the receptive field of the graph.'),
    scale: whole(1, 8, 'Output pixels per source pixel, along each axis.'),
  },
  {
    tensorflow: tensorflowStage,
    alpha: word(['keep', 'produce'], '`keep` (default): channels out = channels in. `produce`: RGBA always.'),
  },
);

const level = object(
  {
    strength: real(0, 1, 'Handed to the render graph as `strength`.'),
    render: sentence('Name of a render stage.'),
  },
  { analyse: sentence('Name of an analyse stage.') },
);

/** What a manifest must look like, field by field. Rules between fields are in manifest-check.ts. */
export const MANIFEST_SHAPE: Shape = object(
  {
    name: sentence('Name of the model, shown in every job.'),
    operation: matching(
      OPERATION_NAME,
      'lowercase letters, digits and underscores',
      'The operation; also the name of the folder.',
    ),
    description: sentence('One or two sentences about what it does.'),
    engine: word(
      ['onnx', 'tensorflow'],
      'What runs the graphs: onnxruntime, or TensorFlow.js (graph and layers models).',
    ),
    licence: sentence('SPDX identifier of the licence of the weights.'),
    source: sentence('Where the weights come from: a script or an address.'),
    trainedOn: sentence('What the weights were trained on.'),
    stages: dictionary(
      stageName,
      stageNameText,
      variants('kind', { analyse: analyseStage, render: renderStage }),
      'The graphs of this version, by name.',
    ),
    levels: object(Object.fromEntries(LEVELS.map((name) => [name, level]))),
  },
  { $schema: sentence('Path of manifest.schema.json, for editors.') },
);

/** The published JSON Schema: the content of models/manifest.schema.json. */
export function manifestSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Manifest of one model version: models/<operation>/<version>/manifest.json',
    ...MANIFEST_SHAPE.schema,
  };
}

import { LEVELS } from '../../kernel/operations.js';
import {
  dictionary,
  type JsonSchema,
  list,
  matching,
  object,
  real,
  sentence,
  type Shape,
  whole,
  word,
} from './shape.js';
import { fileName, STAGE_SHAPE } from './stage-shapes.js';

/** Name of an operation: a folder of the model repository and a value of the API's `operation`. */
export const OPERATION_NAME = /^[a-z][a-z0-9_]{0,63}$/;

const stageName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const stageNameText = 'letters, digits, dots, dashes and underscores';

const level = object(
  {
    strength: real(0, 1, 'Handed to the render graph as `strength`.'),
    render: sentence('Name of a render or matte stage.'),
  },
  { analyse: sentence('Name of an analyse stage.') },
);

const golden = object(
  {
    before: fileName('A picture (PNG) beside this manifest.'),
    after: fileName('What the level makes of it (PNG).'),
    level: word(LEVELS, 'The level.'),
  },
  { tolerance: whole(0, 255, 'Largest difference allowed in any value; default 2.') },
);

/** The shape of a manifest, field by field. Rules between fields are in manifest-check.ts. */
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
    license: sentence('SPDX identifier of the license of the weights.'),
    source: sentence('Where the weights come from: a script or an address.'),
    trainedOn: sentence('What the weights were trained on.'),
    stages: dictionary(stageName, stageNameText, STAGE_SHAPE, 'The graphs of this version, by name.'),
    levels: object(Object.fromEntries(LEVELS.map((name) => [name, level]))),
  },
  {
    golden: list(golden, 1, 'Pictures that must come out as they once did.'),
    $schema: sentence('Path of manifest.schema.json, for editors.'),
  },
);

/** The published JSON Schema: the content of models/manifest.schema.json. */
export function manifestSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Manifest of one model version: models/<operation>/<version>/manifest.json',
    ...MANIFEST_SHAPE.schema,
  };
}

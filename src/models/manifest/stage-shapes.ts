import { INPUT_SHAPE, LUMA_SHAPE, OUTPUT_SHAPE } from './adapter-shape.js';
import { REMOTE_SHAPE } from './remote-shape.js';
import {
  dictionary,
  either,
  list,
  matching,
  object,
  real,
  sentence,
  type Shape,
  variants,
  whole,
  word,
} from './shape.js';

/** A file next to the manifest. */
export const fileName = (description: string): Shape =>
  matching(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'the name of a file in the same folder, without a path',
    description,
  );

const sha256 = (description: string): Shape =>
  matching(/^[0-9a-f]{64}$/, '64 lowercase hex digits', description);

const hashedFiles = (description: string): Shape =>
  dictionary(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'the name of a file in the same folder, without a path',
    sha256('SHA-256 of the file.'),
    description,
  );

const batching = {
  maxBatch: whole(1, 64, 'Most items one run may take.'),
  maxDelayMs: whole(0, 1000, 'How long an item may wait for company while the device is busy.'),
};

const everyStage = {
  file: fileName('Name of the graph file, beside this manifest.'),
  sha256: sha256('SHA-256 of the file (`sha256sum <file>`).'),
  ...batching,
};

const tile = whole(16, 2048, 'Edge of the useful part of a tile; the graph sees tile + 2 × halo.');

const valueRange = (description: string): Shape =>
  list(real(-1_000_000, 1_000_000, 'Black, then white.'), 2, description);

/** Fields that only stages of the engine `tensorflow` have. */
const tensorflowStage = object(
  {
    inputRange: valueRange('What the model wants bytes 0 and 255 to become, for example [0, 1].'),
    weights: hashedFiles('Every weight file that model.json names.'),
  },
  { outputRange: valueRange('Render stages: what the model gives for bytes 0 and 255.') },
);

/** Optional fields of every stage. */
const mayHave = {
  tensorflow: tensorflowStage,
  fp16: object(
    {
      file: fileName('The same graph in half precision, which GPUs run instead.'),
      sha256: sha256('SHA-256 of that file.'),
    },
    {
      dtype: word(['float32', 'float16'], 'Element type of its input and output, where an adapter wraps it.'),
    },
  ),
  int8: object({
    file: fileName(
      'The same graph with 8-bit integer weights and activations (QuantizeLinear and DequantizeLinear nodes), with the same inputs and outputs. A CPU that runs it faster uses it.',
    ),
    sha256: sha256('SHA-256 of that file.'),
  }),
  external: hashedFiles('Files that hold weights of the ONNX graph outside of it.'),
  input: INPUT_SHAPE,
  output: OUTPUT_SHAPE,
  luma: LUMA_SHAPE,
};

const analyseFields = {
  kind: word(
    ['analyse'],
    'Sees the whole image, resized to size × size without preserving the aspect ratio.',
  ),
  size: whole(16, 2048, 'Edge of the square that the whole image is resized to.'),
  outputs: dictionary(
    /^(?!(image|strength|window)$)[A-Za-z_][A-Za-z0-9_]*$/,
    'letters, digits and underscores, and not image, strength or window',
    list(whole(1, 1_000_000, 'One axis.'), 1, 'Shape of one item: without the batch axis.'),
    'The float32 outputs, which the render graph may take by the same names.',
  ),
};

const mayAnalyse = {
  noSubject: object({
    output: sentence('A one-number output of this stage.'),
    below: real(0, 1, 'The job fails with `no_subject_found` when the output is below this.'),
  }),
};

const renderFields = {
  kind: word(['render'], 'Sees equal tiles of the full-resolution image.'),
  tile,
  halo: whole(0, 512, 'Pixels around the useful part: at least the receptive field of the graph.'),
  scale: whole(1, 8, 'Output pixels per source pixel, along each axis.'),
};

const mayRender = {
  alpha: word(['keep', 'produce'], '`keep` (default): channels out = channels in. `produce`: RGBA always.'),
  skipWhereZero: sentence(
    'An output [C, size, size] of the analyse stage. The graph does not run for tiles where it is 0 everywhere: they stay as they are, or become transparent where the stage produces alpha.',
  ),
};

/** Replaces files in a stage that an inference server runs. */
const remote = { remote: REMOTE_SHAPE, ...batching };

const matteStage = object({
  kind: word(['matte'], 'Needs no file: lays an alpha map over the full-resolution image and gives RGBA.'),
  analyse: sentence('The analyse stage that makes the map.'),
  map: sentence('Its output of shape [1, size, size], 0–1.'),
  tile,
  ...batching,
});

/** A stage, distinguished by its `kind`, and by whether it names a remote model. */
export const STAGE_SHAPE: Shape = variants('kind', {
  analyse: either(
    'remote',
    object({ ...analyseFields, ...remote }, mayAnalyse),
    object({ ...analyseFields, ...everyStage }, { ...mayHave, ...mayAnalyse }),
  ),
  render: either(
    'remote',
    object({ ...renderFields, ...remote }, mayRender),
    object({ ...renderFields, ...everyStage }, { ...mayHave, ...mayRender }),
  ),
  matte: matteStage,
});

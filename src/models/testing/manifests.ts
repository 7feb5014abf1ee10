type Json = Record<string, unknown>;

const sha256 = 'a'.repeat(64);
const batching = { maxBatch: 4, maxDelayMs: 5 };

const head = {
  $schema: '../../manifest.schema.json',
  name: 'soft',
  operation: 'smooth_skin',
  description: 'Smooths.',
  engine: 'onnx',
  license: 'Apache-2.0',
  source: 'scripts/training/x.py',
  trainedOn: 'nothing',
  golden: [{ before: 'a.png', after: 'b.png', level: 'low', tolerance: 3 }],
};

/** Manifests that together contain every field; the operation is smooth_skin. */
export function everyField(): Readonly<Record<'onnx' | 'matte' | 'tensorflow' | 'remote', Json>> {
  return structuredClone({ onnx, matte, tensorflow, remote });
}

const onnx: Json = {
  ...head,
  stages: {
    map: {
      kind: 'analyse',
      file: 'map.onnx',
      sha256,
      size: 64,
      outputs: { presence: [1], map: [1, 64, 64] },
      noSubject: { output: 'presence', below: 0.5 },
      external: { 'map.data': sha256 },
      ...batching,
    },
    enlarge: {
      kind: 'render',
      file: 'b.onnx',
      sha256,
      tile: 64,
      halo: 8,
      scale: 2,
      alpha: 'keep',
      fp16: { file: 'half.onnx', sha256, dtype: 'float16' },
      int8: { file: 'integers.onnx', sha256 },
      input: {
        name: 'x',
        layout: 'NCHW',
        dtype: 'float32',
        channels: 'Y',
        range: [0, 1],
        mean: [0.5],
        std: [0.25],
        size: { mode: 'multiple-of', of: 8 },
        resize: 'pad',
      },
      output: {
        name: 'y',
        layout: 'NCHW',
        dtype: 'float32',
        meaning: 'residual',
        channels: 'Y',
        range: [0, 1],
        activation: 'tanh',
        base: 'bilinear',
        strength: 'blend',
      },
      luma: 'studio',
      ...batching,
    },
  },
  levels: {
    low: { strength: 0.3, analyse: 'map', render: 'enlarge' },
    medium: { strength: 0.6, render: 'enlarge' },
    high: { strength: 1, render: 'enlarge' },
  },
};

const matte: Json = {
  ...head,
  stages: {
    subject: {
      kind: 'analyse',
      file: 'subject.onnx',
      sha256,
      size: 64,
      outputs: { alpha: [1, 64, 64] },
      input: {
        name: 'x',
        layout: 'NHWC',
        dtype: 'uint8',
        channels: 'BGR',
        range: [0, 255],
        size: { mode: 'fixed', height: 96, width: 80 },
        resize: 'stretch',
      },
      output: { name: 'y', layout: 'NHW', dtype: 'float32', meaning: 'logits', range: [0, 1], channel: 0 },
      ...batching,
    },
    cut: { kind: 'matte', analyse: 'subject', map: 'alpha', tile: 128, ...batching },
  },
  levels: {
    low: { strength: 1, analyse: 'subject', render: 'cut' },
    medium: { strength: 1, analyse: 'subject', render: 'cut' },
    high: { strength: 1, analyse: 'subject', render: 'cut' },
  },
};

const tensorflow: Json = {
  ...head,
  engine: 'tensorflow',
  stages: {
    enlarge: {
      kind: 'render',
      file: 'model.json',
      sha256,
      tile: 64,
      halo: 8,
      scale: 2,
      tensorflow: { inputRange: [0, 1], outputRange: [0, 255], weights: { 'w.bin': sha256 } },
      ...batching,
    },
  },
  levels: {
    low: { strength: 1, render: 'enlarge' },
    medium: { strength: 1, render: 'enlarge' },
    high: { strength: 1, render: 'enlarge' },
  },
};

const remote: Json = {
  ...head,
  stages: {
    map: {
      kind: 'analyse',
      remote: { engine: 'triton', model: 'smooth_skin.map', version: 1 },
      size: 64,
      outputs: { presence: [1], map: [1, 64, 64] },
      noSubject: { output: 'presence', below: 0.5 },
      ...batching,
    },
    smooth: {
      kind: 'render',
      remote: {
        engine: 'triton',
        model: 'smooth_skin.smooth',
        version: 1,
        url: 'http://triton-1:8000, https://triton-2/prefix',
      },
      tile: 64,
      halo: 8,
      scale: 1,
      alpha: 'keep',
      skipWhereZero: 'map',
      ...batching,
    },
  },
  levels: {
    low: { strength: 0.3, analyse: 'map', render: 'smooth' },
    medium: { strength: 0.6, analyse: 'map', render: 'smooth' },
    high: { strength: 1, analyse: 'map', render: 'smooth' },
  },
};

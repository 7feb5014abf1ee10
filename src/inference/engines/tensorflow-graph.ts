import * as tf from '@tensorflow/tfjs-core';
import type { StageRef } from '../../models/manifest/model-route.js';
import { FINITE } from '../../models/compose/finite-probe.js';
import { float32Tensor, type NamedTensors, type Tensor, uint8Tensor } from '../tensor.js';
import type { Graph } from './engine.js';

/** A loaded model of either kind. */
export interface TensorflowModel {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** Of each input; undefined if the model declares none. */
  readonly inputDims: readonly (Graph['imageDims'] | undefined)[];
  /** Weights by their names in the model. */
  readonly weights: tf.NamedTensorMap;
  readonly predict: (inputs: tf.NamedTensorMap) => tf.Tensor | tf.Tensor[];
  readonly dispose: () => void;
}

/** Optional inputs of a stage besides its image. */
const SIDE_INPUTS = ['strength', 'window'];

/**
 * A TensorFlow.js model as a stage: uint8 pixels in, uint8 pixels (render) or float32 maps (analyse) out. Tensor
 * operations around the model handle casting, value ranges, and the source's alpha; the model itself sees only RGB.
 * @throws Error for a model without inputs
 */
export class TensorflowGraph implements Graph {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly imageDims: readonly (number | null)[];
  private readonly imageName: string;
  private readonly resultNames: readonly string[];

  constructor(
    private readonly model: TensorflowModel,
    private readonly stage: StageRef,
    /** Also returns `FINITE`, computed before the output is clipped, because bytes cannot be NaN. */
    private readonly tellsFinite: boolean,
  ) {
    const [first] = model.inputNames;
    if (first === undefined) throw new Error('the model has no input');
    // The only input of a model takes the image, regardless of its name.
    this.imageName = model.inputNames.length === 1 ? first : 'image';
    this.imageDims = model.inputDims[model.inputNames.indexOf(this.imageName)] ?? [];
    this.inputNames = model.inputNames.map((name) => (name === this.imageName ? 'image' : name));
    this.resultNames = outputNamesOf(model, stage);
    this.outputNames = tellsFinite ? [...this.resultNames, FINITE] : this.resultNames;
  }

  async run(inputs: NamedTensors): Promise<NamedTensors> {
    const outputs = tf.tidy(() => this.outputs(inputs));
    try {
      return Object.fromEntries(
        await Promise.all(
          Object.entries(outputs).map(
            async ([name, output]) => [name, toTensor(output, await output.data())] as const,
          ),
        ),
      );
    } finally {
      tf.dispose(outputs);
    }
  }

  async release(): Promise<void> {
    this.model.dispose();
  }

  private outputs(inputs: NamedTensors): tf.NamedTensorMap {
    const image = tf.tensor4d(inputs['image']!.data, shape4(inputs['image']!.dims), 'int32');
    const channels = image.shape[3];
    const [black, white] = this.range('inputRange');
    const rgb = channels === 3 ? image : tf.slice(image, [0, 0, 0, 0], [-1, -1, -1, 3]);
    const fed = tf.add(tf.mul(tf.cast(rgb, 'float32'), (white - black) / 255), black);
    const sides = this.model.inputNames.filter((name) => name !== this.imageName);
    const result = this.model.predict({
      [this.imageName]: fed,
      ...Object.fromEntries(sides.map((name) => [name, sideInput(name, inputs)])),
    });
    const results = Array.isArray(result) ? result : [result];
    const given =
      this.stage.kind === 'analyse'
        ? results.map((map) => tf.cast(map, 'float32'))
        : [this.pixels(results[0]! as tf.Tensor4D, image)];
    return {
      ...Object.fromEntries(given.map((tensor, index) => [this.resultNames[index]!, tensor])),
      ...(this.tellsFinite && { [FINITE]: finiteProbe(results) }),
    };
  }

  /** Bytes 0–255 as int32, with the source's alpha enlarged and appended when there is one. */
  private pixels(result: tf.Tensor4D, image: tf.Tensor4D): tf.Tensor4D {
    const [black, white] = this.range('outputRange');
    const scaled = tf.mul(tf.sub(result, black), 255 / (white - black));
    const bytes = tf.clipByValue(tf.round(scaled) as tf.Tensor4D, 0, 255);
    if (image.shape[3] === 3 || bytes.shape[3] === 4) return tf.cast(bytes, 'int32');
    const alpha = tf.cast(tf.slice(image, [0, 0, 0, 3], [-1, -1, -1, 1]), 'float32');
    const [, height, width] = bytes.shape;
    const enlarged = tf.image.resizeBilinear(alpha, [height, width], false, true);
    return tf.cast(tf.concat([bytes, tf.round(enlarged)], 3), 'int32');
  }

  private range(which: 'inputRange' | 'outputRange'): readonly [number, number] {
    const settings = this.stage.tensorflow;
    const range = settings?.[which] ?? settings?.inputRange ?? [0, 1];
    return [range[0]!, range[1]!];
  }
}

function outputNamesOf({ outputNames }: TensorflowModel, stage: StageRef): readonly string[] {
  if (stage.kind === 'render') return outputNames;
  const wanted = Object.keys(stage.outputs);
  // A layers model names its outputs after its last layers; a single output takes the name in the manifest.
  if (wanted.length === 1 && outputNames.length === 1) return wanted;
  return outputNames;
}

function sideInput(name: string, inputs: NamedTensors): tf.Tensor {
  const given = inputs[name];
  if (given === undefined) {
    throw new Error(`the model needs ${name} as input; it can use image, ${SIDE_INPUTS.join(', ')} and maps`);
  }
  return tf.tensor(given.data, [...given.dims], given.type === 'uint8' ? 'int32' : 'float32');
}

function shape4(dims: readonly number[]): [number, number, number, number] {
  const [items = 0, height = 0, width = 0, channels = 0] = dims;
  return [items, height, width, channels];
}

/** 0 when every number is finite, otherwise NaN: x · 0 is NaN where x is NaN or infinite. */
function finiteProbe(results: readonly tf.Tensor[]): tf.Tensor {
  return tf.addN(results.map((result) => tf.sum(tf.mul(tf.cast(result, 'float32'), 0))));
}

/** Changes only the container, because the integers are already bytes. */
function toTensor({ dtype, shape }: tf.Tensor, values: tf.TypedArray): Tensor {
  if (dtype === 'int32') return uint8Tensor(shape, new Uint8Array(values));
  return { ...float32Tensor(shape, []), data: new Float32Array(values) } as Tensor;
}

import * as tf from '@tensorflow/tfjs-core';
import type { StageRef } from '../../catalog/model-route.js';
import { float32Tensor, type NamedTensors, type Tensor, uint8Tensor } from '../tensor.js';
import type { Graph } from './engine.js';

/** A loaded model of either kind. */
export interface TensorflowModel {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly predict: (inputs: tf.NamedTensorMap) => tf.Tensor | tf.Tensor[];
  readonly dispose: () => void;
}

/** Inputs that a stage may have beside its image. */
const SIDE_INPUTS = ['strength', 'window'];

/**
 * A TensorFlow.js model as a stage: uint8 pixels in, uint8 pixels (render) or float32 maps (analyse) out. Casting,
 * value ranges and the source's alpha are tensor operations around the model, which itself sees RGB only.
 */
export class TensorflowGraph implements Graph {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  private readonly imageName: string;

  constructor(
    private readonly model: TensorflowModel,
    private readonly stage: StageRef,
  ) {
    const [first] = model.inputNames;
    if (first === undefined) throw new Error('the model has no input');
    // A model with one input takes the image, whatever it calls it.
    this.imageName = model.inputNames.length === 1 ? first : 'image';
    this.inputNames = model.inputNames.map((name) => (name === this.imageName ? 'image' : name));
    this.outputNames = outputNamesOf(model, stage);
  }

  async run(inputs: NamedTensors): Promise<NamedTensors> {
    const outputs = tf.tidy(() => this.outputs(inputs));
    try {
      return Object.fromEntries(
        await Promise.all(
          outputs.map(async (output, index) => {
            const name = this.outputNames[index]!;
            return [name, toTensor(this.stage.kind, output.shape, await output.data())] as const;
          }),
        ),
      );
    } finally {
      tf.dispose(outputs);
    }
  }

  async release(): Promise<void> {
    this.model.dispose();
  }

  private outputs(inputs: NamedTensors): tf.Tensor[] {
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
    if (this.stage.kind === 'analyse') return results.map((map) => tf.cast(map, 'float32'));
    return [this.pixels(results[0]! as tf.Tensor4D, image)];
  }

  /** Bytes 0–255 as int32, with the source's alpha enlarged beside the colours where there is one. */
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
  // A layers model names its outputs by its last layers; one output is what the manifest says it is.
  if (wanted.length === 1 && outputNames.length === 1) return wanted;
  return outputNames;
}

function sideInput(name: string, inputs: NamedTensors): tf.Tensor {
  const given = inputs[name];
  if (given === undefined) {
    throw new Error(`the model asks for ${name}; it may take image, ${SIDE_INPUTS.join(', ')} and maps`);
  }
  return tf.tensor(given.data, [...given.dims], given.type === 'uint8' ? 'int32' : 'float32');
}

function shape4(dims: readonly number[]): [number, number, number, number] {
  const [items = 0, height = 0, width = 0, channels = 0] = dims;
  return [items, height, width, channels];
}

/** Only the container changes here: the values are bytes already. */
function toTensor(kind: StageRef['kind'], dims: number[], values: tf.TypedArray): Tensor {
  if (kind === 'render') return uint8Tensor(dims, new Uint8Array(values));
  return { ...float32Tensor(dims, []), data: new Float32Array(values) } as Tensor;
}

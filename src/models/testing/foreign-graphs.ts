import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Adapter, InputAdapter, OutputAdapter } from '../manifest/adapter.js';
import { composeRender } from '../compose/compose-foreign.js';
import { foreignModel } from '../compose/foreign-model.js';
import type { GraphWriter, Value } from '../compose/graph-writer.js';
import { type TinyModel, tinyModel } from './tiny-models.js';

/** Axes of images of any size in a batch of any size. */
export const free = ['N', 3, 'H', 'W'] as const;
/** A graph that changes nothing. */
export const same = (_: GraphWriter, x: Value): Value => x;

/** The input format of `tinyModel`, with optional changes. */
export const input = (changes: Partial<InputAdapter> = {}): InputAdapter => ({
  name: 'x',
  layout: 'NCHW',
  dtype: 'float32',
  channels: 'RGB',
  range: [0, 1],
  size: { mode: 'any' },
  ...changes,
});

/** The output format of `tinyModel`, with optional changes. */
export const output = (changes: Partial<OutputAdapter> = {}): OutputAdapter => ({
  name: 'y',
  layout: 'NCHW',
  dtype: 'float32',
  meaning: 'image',
  channels: 'RGB',
  range: [0, 1],
  ...changes,
});

/** The output format for an alpha plane, with optional changes. */
export const alpha = (changes: Partial<OutputAdapter> = {}): OutputAdapter => {
  const { channels: _, ...rest } = output({ meaning: 'alpha', ...changes });
  return rest;
};

/** An image in which every value differs from its neighbors, and alpha from the colors. */
export function picture(batch: number, height: number, width: number, channels: number): Tensor {
  const size = batch * height * width * channels;
  const data = Uint8Array.from({ length: size }, (_, at) => (at * 37 + (at >> 6) * 11) & 255);
  return new Tensor('uint8', data, [batch, height, width, channels]);
}

/** Runs a composed graph once. @param strength one value per item; default 1 */
export async function run(graph: Uint8Array, image: Tensor, strength?: readonly number[]): Promise<Tensor> {
  const session = await InferenceSession.create(graph, { logSeverityLevel: 3 });
  const feeds: Record<string, Tensor> = { image };
  if (session.inputNames.includes('strength'))
    feeds['strength'] = new Tensor('float32', Float32Array.from(strength ?? [1]), [strength?.length ?? 1]);
  const outputs = await session.run(feeds);
  await session.release();
  return outputs[session.outputNames[0]!]!;
}

/** The composed graph around a model. */
export const render = (model: TinyModel, adapter: Adapter, scale = 1): Uint8Array =>
  composeRender(foreignModel(tinyModel(model)), adapter, scale);

/** The pixels of a result. */
export const bytes = (tensor: Tensor): number[] => [...(tensor.data as Uint8Array)];

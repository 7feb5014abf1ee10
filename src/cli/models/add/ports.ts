import type { InputAdapter, OutputAdapter, PixelLayout } from '../../../models/manifest/adapter.js';
import { type ModelHead, type ModelValue, valueText } from '../../../models/onnx/model-head.js';
import { ModelsError } from '../models-command.js';

/** The declared input and output of a file, and their data types and layouts. */
export interface Ports {
  readonly engine: 'onnx' | 'tensorflow';
  readonly value: ModelValue;
  readonly input: Pick<InputAdapter, 'name' | 'layout' | 'dtype'>;
  readonly output: Pick<OutputAdapter, 'name' | 'layout' | 'dtype'>;
  readonly isGray: boolean;
}

/** @throws ModelsError when the graph's input or output is not a picture */
export function portsOf(head: ModelHead): Ports {
  const { value, output } = declared(head);
  const layout = layoutOf(value);
  const input = { name: value.name, layout, dtype: dtypeOf(value) };
  const given = { name: output.name, layout: outputLayout(output, layout) };
  return {
    engine: 'onnx',
    value,
    input,
    output: { ...given, dtype: dtypeOf(output) },
    isGray: channelsOf(value, layout) === 1,
  };
}

/** Whether the graph takes the service's own pixel format. */
export function isNativeInput({ name, dtype, layout }: Ports['input']): boolean {
  return name === 'image' && dtype === 'uint8' && layout === 'NHWC';
}

function declared(head: ModelHead): { readonly value: ModelValue; readonly output: ModelValue } {
  const [value, ...others] = head.inputs;
  if (value === undefined || others.length > 0) {
    throw new ModelsError(
      `The model takes ${head.inputs.map(valueText).join(' and ') || 'nothing'}; an image model has one input. Export it with the others as constants.`,
    );
  }
  const output = head.outputs[0]!;
  for (const [what, { dims, ...rest }] of [
    ['input', value],
    ['output', output],
  ] as const) {
    if (dims === null || dims.length === 4 || (what === 'output' && dims.length === 3)) continue;
    throw new ModelsError(
      `The ${what} ${valueText({ dims, ...rest })} is not an image: an image has 4 axes.`,
    );
  }
  return { value, output };
}

type Size = number | string | undefined;

/** If the sizes do not tell, bytes named `image` are in the service's own layout, and others have channels first. */
function layoutOf({ name, type, dims }: ModelValue): PixelLayout {
  const isChannels = (size: Size): boolean => size === 1 || size === 3;
  const [first, last] = [isChannels(dims?.[1]), isChannels(dims?.[3])];
  if (first !== last) return last ? 'NHWC' : 'NCHW';
  const isOther = Number(dims?.[3]) > 4;
  return name === 'image' && type === 'uint8' && !isOther ? 'NHWC' : 'NCHW';
}

/** If the sizes do not tell, the output has the layout of the input. */
function outputLayout({ dims }: ModelValue, input: PixelLayout): OutputAdapter['layout'] {
  if (dims?.length === 3) return 'NHW';
  const isFew = (size: Size): boolean => typeof size === 'number' && size <= 4;
  const [first, last] = [isFew(dims?.[1]), isFew(dims?.[3])];
  return first === last ? input : last ? 'NHWC' : 'NCHW';
}

function channelsOf({ dims }: ModelValue, layout: PixelLayout): number {
  const found = dims?.[layout === 'NCHW' ? 1 : 3];
  if (typeof found !== 'number' || found === 3 || found === 1) return found === 1 ? 1 : 3;
  throw new ModelsError(`The input has ${found} channels; images have 3, or 1 for luminance alone.`);
}

function dtypeOf({ name, type }: ModelValue): InputAdapter['dtype'] {
  if (type === 'float32' || type === 'float16' || type === 'uint8') return type;
  throw new ModelsError(`${name} is ${type}; pixels are float32, float16 or uint8. Export the model so.`);
}

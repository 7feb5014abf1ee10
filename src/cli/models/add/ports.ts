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
  const given = { name: output.name, layout: outputLayout(output, isNativeInput(input)) };
  return {
    engine: 'onnx',
    value,
    input,
    output: { ...given, dtype: dtypeOf(output) },
    isGray: channelsOf(value, layout) === 1,
  };
}

/** Whether the graph uses the service's own pixel format. Such a graph needs no adapter. */
export function isNativeInput({ name, dtype }: Pick<InputAdapter, 'name' | 'dtype'>): boolean {
  return name === 'image' && dtype === 'uint8';
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

function layoutOf({ name, type, dims }: ModelValue): PixelLayout {
  if (name === 'image' && type === 'uint8') return 'NHWC';
  const isChannels = (size: number | string | undefined): boolean => size === 1 || size === 3;
  return dims !== null && !isChannels(dims[1]) && isChannels(dims[3]) ? 'NHWC' : 'NCHW';
}

function outputLayout({ type, dims }: ModelValue, isOurs: boolean): OutputAdapter['layout'] {
  if (isOurs && type === 'uint8') return 'NHWC';
  if (dims?.length === 3) return 'NHW';
  const few = (size: number | string | undefined): boolean => typeof size === 'number' && size <= 4;
  return dims !== null && !few(dims[1]) && few(dims[3]) ? 'NHWC' : 'NCHW';
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

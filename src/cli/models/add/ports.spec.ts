import { describe, expect, it } from 'vitest';
import { type ModelHead, modelHead, type ModelValue } from '../../../models/onnx/model-head.js';
import { tinyModel } from '../../../models/testing/tiny-models.js';
import { isNativeInput, portsOf } from './ports.js';

const HEAD = modelHead(tinyModel({ dims: ['N', 3, 'H', 'W'], body: (_, x) => x }));
type Dims = ModelValue['dims'];

/** A model with this input, and an output of the same type. */
const head = (name: string, type: string, input: Dims, output: Dims): ModelHead => ({
  ...HEAD,
  inputs: [{ name, type, dims: input }],
  outputs: [{ name: 'y', type, dims: output }],
});

describe('portsOf', () => {
  it.each<[string, Dims, boolean]>([
    ['the shape of our own graphs', ['N', 'H', 'W', 3], true],
    ['free axes', ['N', 'H', 'W', 'C'], true],
    ['no shape', null, true],
    ['channels first', [1, 3, 64, 64], false],
    ['other sizes', [1, 'C', 64, 64], false],
    ['channels first and free axes', ['N', 3, 'H', 'W'], false],
  ])('reads bytes named image with %s', (_, dims, isOurs) => {
    const { input, output } = portsOf(head('image', 'uint8', dims, dims));
    const layout = isOurs ? 'NHWC' : 'NCHW';
    expect([input.layout, output.layout, isNativeInput(input)]).toEqual([layout, layout, isOurs]);
  });

  it.each<[Dims, Dims, string, string]>([
    [['N', 'H', 'W', 3], null, 'NHWC', 'NHWC'],
    [['N', 'H', 'W', 3], ['a', 'b', 'c', 'd'], 'NHWC', 'NHWC'],
    [['N', 'H', 'W', 3], [1, 1, 64, 64], 'NHWC', 'NCHW'],
    [['N', 3, 'H', 'W'], null, 'NCHW', 'NCHW'],
    [['N', 3, 'H', 'W'], ['N', 'H', 'W', 3], 'NCHW', 'NHWC'],
    [['N', 3, 'H', 'W'], ['N', 'H', 'W'], 'NCHW', 'NHW'],
    [null, null, 'NCHW', 'NCHW'],
  ])('reads the layouts of %j and %j', (input, output, from, to) => {
    const ports = portsOf(head('x', 'float32', input, output));
    expect([ports.input.layout, ports.output.layout]).toEqual([from, to]);
  });
});

import { describe, expect, it } from 'vitest';
import { runsChannelsLast } from './channels-last-probe.js';
import type { Graph } from './engine.js';
import { OnnxEngine } from './onnx-engine.js';
import { float32Tensor } from '../tensor.js';

const graph = (values: readonly number[]): Graph => ({
  inputNames: ['x'],
  outputNames: ['y'],
  run: async () => ({ y: float32Tensor([1, 2, 1, 2], values) }),
  release: async () => undefined,
});

describe('runsChannelsLast', () => {
  it('is true when the result is right', async () => {
    expect(await runsChannelsLast(async () => graph([17, 20, 35, 42]))).toBe(true);
  });

  it('is false when the result is wrong', async () => {
    expect(await runsChannelsLast(async () => graph([17, 20, 35, 41]))).toBe(false);
  });

  it('is false where the runtime does not have the operators', async () => {
    const cpu = new OnnxEngine({ provider: 'cpu', threads: 1, isGuess: false });
    expect(await runsChannelsLast((source) => cpu.open(source))).toBe(false);
  });
});

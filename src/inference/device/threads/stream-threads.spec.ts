import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { streamedProvider, streamThreads } from './stream-threads.js';

describe('streamThreads', () => {
  it.each([
    [
      { threads: 2, streams: 2 },
      { threads: 1, streams: 2 },
    ],
    [
      { threads: 1, streams: 4 },
      { threads: 1, streams: 1 },
    ],
    [
      { threads: 5, streams: 2 },
      { threads: 2, streams: 2 },
    ],
    [
      { threads: 8, streams: 1 },
      { threads: 8, streams: 1 },
    ],
    [
      { threads: 0, streams: 1 },
      { threads: availableParallelism(), streams: 1 },
    ],
  ])('%j becomes %j', (asked, shared) => {
    expect(streamThreads(asked)).toEqual(shared);
  });
});

describe('streamedProvider', () => {
  it.each([
    ['cpu', {}, 'cpu'],
    ['cpu', { onnx: 'cpu', tensorflow: 'tensorflow-wasm' }, 'cpu'],
    ['cuda', { onnx: 'cuda' }, 'cuda'],
    ['cuda:1', { onnx: 'cuda:1' }, 'cuda'],
    ['cuda', { onnx: 'cuda', tensorflow: 'tensorflow-gpu' }, undefined],
    ['webgpu', { onnx: 'webgpu' }, undefined],
    ['tensorrt', { onnx: 'tensorrt' }, undefined],
  ])('on %s with %j opens further streams on %s', (provider, others, expected) => {
    expect(streamedProvider(provider, others)).toBe(expected);
  });
});

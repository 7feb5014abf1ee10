import { describe, expect, it } from 'vitest';
import { isOutOfMemory } from './out-of-memory.js';

describe('isOutOfMemory', () => {
  it.each([
    'Non-zero status code returned while running Conv node. Status Message: bfc_arena.cc:376 Failed to allocate memory for requested buffer of size 2147483648',
    'std::bad_alloc',
    'CUDA failure 2: out of memory ; GPU=0 ; hostname=h',
    'CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED',
    'CUDNN failure 4: CUDNN_STATUS_ALLOC_FAILED ; GPU=0 ; hostname=h',
    'CUDNN failure 4003: CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ; GPU=0 ; hostname=h',
    'CUDNN failure 4004: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED ; GPU=0 ; hostname=h',
    'GPUOutOfMemoryError: Out of memory',
    'WebGPU validation failed. Out of memory while allocating',
    'TensorRT EP failed: [defaultAllocator.cpp] Error Code 1: Cuda Runtime (out of memory)',
    'Array buffer allocation failed',
  ])('recognizes %s', (text) => {
    expect(isOutOfMemory(new Error(text))).toBe(true);
  });

  it.each([
    'Got invalid dimensions for input: image',
    'the input strength was not given',
    'CUDNN failure 5000: CUDNN_STATUS_EXECUTION_FAILED ; GPU=0 ; hostname=h',
  ])('is false for %s', (text) => {
    expect(isOutOfMemory(new Error(text))).toBe(false);
  });
});

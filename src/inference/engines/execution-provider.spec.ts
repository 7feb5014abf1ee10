import { describe, expect, it } from 'vitest';
import { providerCandidates } from './execution-provider.js';

describe('providerCandidates', () => {
  it('ends with the CPU for auto, and includes a GPU only where there is one', () => {
    expect(providerCandidates('auto', () => true)).toEqual(['cuda', 'webgpu', 'cpu']);
    expect(providerCandidates('auto', () => false)).toEqual(['cpu']);
  });

  it.each(['cpu', 'cuda', 'tensorrt', 'webgpu'] as const)('has no fallback for an explicit %s', (device) => {
    expect(providerCandidates(device, () => true)).toEqual([device]);
    expect(providerCandidates(device, () => false)).toEqual([device]);
  });
});

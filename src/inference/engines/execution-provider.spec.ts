import { describe, expect, it } from 'vitest';
import { providerCandidates } from './execution-provider.js';

describe('providerCandidates', () => {
  it('ends at the CPU for auto, and asks for a GPU only where there is one', () => {
    expect(providerCandidates('auto', () => true)).toEqual(['cuda', 'webgpu', 'cpu']);
    expect(providerCandidates('auto', () => false)).toEqual(['cpu']);
  });

  it.each(['cpu', 'cuda', 'tensorrt', 'webgpu'] as const)(
    'has no second choice after an explicit %s',
    (device) => {
      expect(providerCandidates(device, () => true)).toEqual([device]);
      expect(providerCandidates(device, () => false)).toEqual([device]);
    },
  );
});

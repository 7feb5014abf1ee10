import { describe, expect, it } from 'vitest';
import { LOADING, tooSlow } from './runtime-text.js';

describe('tooSlow', () => {
  it('does not advise a smaller tile when only loading is slow', () => {
    const text = tooSlow(`the stage x2 fails ${LOADING}`, 120_000);
    expect(text).toMatch(
      /^the stage x2 fails when it is loaded: it takes longer than 120 seconds; reduce the nodes/,
    );
    expect(text).not.toContain('tile');
  });

  it('advises it when a run is slow', () => {
    expect(tooSlow('the stage x2 fails when it runs 4×272×272×3', 120_000)).toMatch(
      /smaller model, tile or maxBatch$/,
    );
  });
});

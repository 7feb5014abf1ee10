import { describe, expect, it } from 'vitest';
import { noAttemptText } from './no-attempt-text.js';

describe('noAttemptText', () => {
  it('does not claim that a delivery that has failed is in progress', () => {
    expect(noAttemptText({ status: 'failed' })).toBe('The endpoint was disabled before the first attempt.');
  });

  it('fits an attempt in progress, and one that waits for a pause of the endpoint', () => {
    expect(noAttemptText({ status: 'pending' })).toBe('No attempt has ended yet.');
  });
});

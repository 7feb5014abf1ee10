import { describe, expect, it } from 'vitest';
import { promotionText } from './promotion-text.js';

describe('promotionText', () => {
  it.each([
    [3, 2, 'You can roll back to version 2.'],
    // A rollback would go to a version below 2.
    [2, 3, 'To return, serve version 3 again.'],
  ])('tells how to return from version %i to version %i', (version, serving, way) => {
    expect(promotionText(version, serving)).toBe(`All customers' new jobs get version ${version}. ${way}`);
  });

  it('promises nothing while no version serves', () => {
    expect(promotionText(2, null)).toBe("All customers' new jobs get version 2.");
  });
});

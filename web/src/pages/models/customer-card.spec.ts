import { describe, expect, it } from 'vitest';
import { customerCard } from './customer-card.js';

const CARD = `# upscale, version 1

Enlarges (\`dead_leaves.py\`).

## Measured

\`python evaluate.py\` printed:

## Known weaknesses

- Shadows are kept now
  and then. One in five of \`pages.py\` passes. Ordinary pages do not.
- \`npm run models\` draws some.
- Large buildings.

## License

Apache-2.0.
`;

describe('customerCard', () => {
  it('keeps the known weaknesses, without sentences about scripts', () => {
    expect(customerCard(CARD)).toBe(
      '## Known weaknesses\n\n- Shadows are kept now\n  and then. Ordinary pages do not.\n- Large buildings.',
    );
  });

  it('is empty for a model without known weaknesses', () => {
    expect(customerCard('')).toBe('');
    expect(customerCard('# A title\n\nText.')).toBe('');
  });
});

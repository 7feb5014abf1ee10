import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSupportedNode, SUPPORTED_NODE } from './supported-node.mjs';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

describe('isSupportedNode', () => {
  it.each(['20.19.0', '20.20.2', '22.13.0', '22.20.0', '23.0.0', '24.0.0', '26.1.0'])(
    'accepts %s',
    (version) => {
      expect(isSupportedNode(version)).toBe(true);
    },
  );

  it.each(['18.20.8', '20.0.0', '20.18.3', '21.7.3', '22.0.0', '22.12.0'])('refuses %s', (version) => {
    expect(isSupportedNode(version)).toBe(false);
  });

  it('agrees with package.json and the documents', () => {
    expect(JSON.parse(read('package.json'))).toMatchObject({ engines: { node: '^20.19 || >=22.13' } });
    for (const path of ['README.md', 'CONTRIBUTING.md'])
      expect(read(path).replaceAll(/\s+/g, ' '), path).toContain(`Node.js ${SUPPORTED_NODE}.`);
  });
});

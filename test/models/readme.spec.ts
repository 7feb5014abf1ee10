import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkManifest } from '../../src/models/manifest/manifest-check.js';
import { INPUT_SHAPE, OUTPUT_SHAPE } from '../../src/models/manifest/adapter-shape.js';
import { runModelsCommand } from '../support/models/models-command.js';

const readme = readFileSync('models/README.md', 'utf8');
const blocks = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text!);

describe('models/README.md', () => {
  it('shows valid manifests', () => {
    expect(blocks).toHaveLength(3);
    expect(blocks.filter((block) => block.includes('"engine": "tensorflow"'))).toHaveLength(1);
    for (const block of blocks) {
      const manifest = JSON.parse(block) as { operation: string };
      expect(checkManifest(manifest, manifest.operation)).toMatchObject({ ok: true });
    }
  });

  it('documents every field of an adapter and each of its values', () => {
    for (const shape of [INPUT_SHAPE, OUTPUT_SHAPE]) {
      const { properties } = shape.schema as { properties: Record<string, { enum?: string[] }> };
      for (const [name, field] of Object.entries(properties)) {
        expect(readme, name).toContain(`\`${name}\``);
        for (const value of field.enum ?? []) expect(readme, `${name}: ${value}`).toContain(`\`${value}\``);
      }
    }
  });

  it('refers only to existing commands', async () => {
    const named = new Set([...readme.matchAll(/npm run models -- (\w+)/g)].map(([, name]) => name!));
    const { stdout } = await runModelsCommand(['--help'], 'models');
    for (const name of named) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    expect(named.size).toBe(10);
  });
});

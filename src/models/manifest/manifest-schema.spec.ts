import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import { checkManifest } from './manifest-check.js';
import { manifestSchema } from './manifest-shape.js';

const models = join(import.meta.dirname, '../../../models');

const json = (path: string): unknown => JSON.parse(readFileSync(join(models, path), 'utf8'));

describe('models/manifest.schema.json', () => {
  // `npm run docs:sync` regenerates it.
  it('matches the schema that the service validates with', () => {
    expect(json('manifest.schema.json')).toEqual(manifestSchema());
  });
});

describe('committed manifests', () => {
  it.each(SPECIFIED_OPERATIONS)('%s/1 is sound', (operation) => {
    expect(checkManifest(json(`${operation}/1/manifest.json`), operation)).toMatchObject({ ok: true });
  });
});

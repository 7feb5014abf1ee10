import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fingerprint, isBuiltIn } from './built-in-versions.js';
import { loadCatalog } from './load-catalog.js';

it('recognizes every committed version, and no other', async () => {
  const versions = (await loadCatalog(join(import.meta.dirname, '../../../models'))).loaded();
  // If a committed manifest changes, copy these fingerprints to built-in-versions.ts.
  expect(
    versions.filter((version) => !isBuiltIn(version)).map(({ manifest }) => fingerprint(manifest)),
  ).toEqual([]);
  const [first] = versions;
  expect(isBuiltIn({ manifest: { ...first!.manifest, name: 'another' } })).toBe(false);
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { DIST, NODE_MODULES } from '../../scripts/lib/paths.mjs';
import { PACKAGES } from '../../scripts/lib/packed-packages.mjs';
import { ensureFlowBuild } from '../support/roles/flow-build.js';

const PACKED = join(DIST, 'node_modules');

describe('packed packages', () => {
  beforeAll(() => ensureFlowBuild());

  it.each(PACKAGES)('%s has the exports and the version of the installed package', async (name) => {
    const packed = (await import(pathToFileURL(join(PACKED, name, 'index.js')).href)) as object;
    const installed = (await import(name)) as object;
    const exported = (module: object) =>
      Object.keys(module)
        // Node and the test runner derive a default export from CommonJS differently.
        .filter((each) => each !== 'default' && each !== 'module.exports')
        .toSorted();
    expect(exported(packed)).toEqual(exported(installed));
    expect(exported(packed).length).toBeGreaterThan(0);
    const version = (folder: string) =>
      (JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as { version: string }).version;
    expect(version(PACKED)).toBe(version(NODE_MODULES));
  });

  it('are what the built service resolves', () => {
    const fromDist = createRequire(join(DIST, 'main.api.js'));
    for (const name of PACKAGES) expect(fromDist.resolve(name)).toBe(join(PACKED, name, 'index.js'));
  });

  it('share their dependencies: TypeORM uses the packed PostgreSQL client', async () => {
    const load = async (name: string) =>
      (await import(pathToFileURL(join(PACKED, name, 'index.js')).href)) as Record<string, unknown>;
    const { DataSource } = (await load('typeorm')) as unknown as typeof import('typeorm');
    const { Client } = (await load('pg')) as unknown as typeof import('pg');
    const driver = new DataSource({ type: 'postgres' }).driver as unknown as {
      postgres: { Client: unknown };
    };
    expect(driver.postgres.Client).toBe(Client);
  });
});

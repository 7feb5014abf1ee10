import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientControl } from '../../support/clients/client-control.js';
import {
  isAlone,
  isWithService,
  MODULES,
  PythonTests,
  WITH_PACKAGES,
} from '../../support/clients/python-tests.js';

/** Those of the `async` extra, and those of the examples. */
const FRAMEWORKS = ['fastapi>=0.115,<1', 'uvicorn>=0.30,<1', 'flask>=3,<4', 'django>=4.2,<6'];
const PACKAGES = ['httpx>=0.25,<1', 'greenlet>=3', ...FRAMEWORKS];

const tests = new PythonTests();
const packages = join(tests.temporary, 'packages');
// Python compiles what the tests import, which is a small part.
const install = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', packages, ...PACKAGES];
const hasPackages = spawnSync('python3', install, { timeout: 120_000 }).status === 0;

beforeAll(() => tests.compile());
afterAll(() => tests.close());

describe.skipIf(!hasPackages)('the Python client with packages (needs pip and a package index)', () => {
  it.each(WITH_PACKAGES.filter(isAlone))('%s', async (module) => {
    expect(await tests.failureOf('python3', [module], [packages])).toBeUndefined();
  });
});

describe('the Python client with the service', () => {
  beforeAll(async () => {
    tests.control = await ClientControl.start();
  });

  it.skipIf(!hasPackages).each(WITH_PACKAGES.filter(isWithService))(
    'and packages: %s (needs pip and a package index)',
    async (module) => {
      expect(await tests.failureOf('python3', [module], [packages])).toBeUndefined();
    },
  );

  const FLOOR = 'python3.9';
  const isThere = spawnSync(FLOOR, ['--version']).status === 0;
  it.skipIf(!isThere)(
    `works with the oldest Python version that it supports (needs the program "${FLOOR}")`,
    async () => {
      const modules = MODULES.filter((name) => name !== 'test_client' && name !== 'test_documents');
      expect(await tests.failureOf(FLOOR, modules)).toBeUndefined();
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientControl } from '../../support/clients/client-control.js';
import { isAlone, isWithService, MODULES, PythonTests } from '../../support/clients/python-tests.js';

const tests = new PythonTests();
beforeAll(() => tests.compile());
afterAll(() => tests.close());

describe('the Python client', () => {
  it.each(MODULES.filter(isAlone))('%s', async (module) => {
    // With only Python's standard library.
    expect(await tests.failureOf('python3', [module])).toBeUndefined();
  });

  it('is fully typed', async () => {
    const { code, output } = await tests.run('mypy', ['--strict', 'src', 'tests', 'examples']);
    expect(code, output).toBe(0);
  });
});

describe('the Python client with the service', () => {
  beforeAll(async () => {
    tests.control = await ClientControl.start();
  });

  it.each(MODULES.filter(isWithService))('%s', async (module) => {
    expect(await tests.failureOf('python3', [module])).toBeUndefined();
  });
});

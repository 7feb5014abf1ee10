import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { newResult } from '../../support/app/results.js';
import { KEY_ROUTES, pathFor } from '../../support/app/routes.js';

const logged: string[] = [];
let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  const ignore = () => undefined;
  harness = await startHarness({
    logger: { log: ignore, warn: ignore, error: (...given: unknown[]) => logged.push(JSON.stringify(given)) },
  });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('500', () => {
  it('tells the client nothing about the cause, and logs all of it', async () => {
    const paths = new Map<string, string>();
    for (const route of KEY_ROUTES) paths.set(route.operationId, await pathFor(route, harness, account));
    const { id } = await harness.newSource(account);
    const result = await newResult(harness, account);
    const before = await harness.footprint();
    // A bug of the service: a statement that names a table that does not exist.
    await harness.rows('ALTER TABLE api_keys RENAME TO misplaced');
    try {
      for (const path of [`/files/${id}.jpg`, `/files/${result.id}.png`]) {
        expect((await harness.call('GET', path, { key: account.key })).status).toBe(500);
      }
      for (const { method, operationId } of KEY_ROUTES) {
        const path = `${paths.get(operationId)}?token=secret`;
        const { status, body } = await harness.call(method, path, { key: account.key });
        expect({ operationId, status }).toEqual({ operationId, status: 500 });
        const { code, requestId, detail } = body as { code: string; requestId: string; detail: string };
        expect(code).toBe('internal_error');
        expect(detail).not.toMatch(/api_keys|misplaced/);
        const line = logged.find((text) => text.includes(requestId));
        expect(line).toContain('api_keys');
        expect(line).not.toContain('token=secret');
        expect(line).not.toContain(account.key);
      }
    } finally {
      await harness.rows('ALTER TABLE misplaced RENAME TO api_keys');
    }
    expect(await harness.footprint()).toEqual(before);
    expect((await harness.call('GET', '/api/usage', { key: account.key })).status).toBe(200);
  });
});

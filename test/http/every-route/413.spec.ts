import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/app/api/openapi/openapi.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { JSON_ROUTES, KEY_ROUTES, pathFor } from '../../support/app/routes.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('413 payload_too_large', () => {
  it.each(JSON_ROUTES)('$method $path for a body of more than $bodyBytes bytes', async (route) => {
    const path = await pathFor(route, harness, account);
    const before = await harness.footprint();
    const { status, body } = await harness.call(route.method, path, {
      key: account.key,
      headers: { 'content-type': 'application/json' },
      body: `{"description":"${'x'.repeat(route.bodyBytes!)}"}`,
    });
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'payload_too_large' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('is documented for these routes and the upload, and for no other', () => {
    const { paths } = openApiDocument(harness.app);
    const documented = KEY_ROUTES.filter(
      ({ method, path }) => '413' in paths[path]![method.toLowerCase() as 'get']!.responses,
    ).map(({ operationId }) => operationId);
    expect(documented).toEqual(['uploadImage', ...JSON_ROUTES.map(({ operationId }) => operationId)]);
  });
});

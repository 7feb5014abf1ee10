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

describe('415 unsupported_media_type', () => {
  it.each(JSON_ROUTES)('$method $path for a body that is not JSON', async (route) => {
    const path = await pathFor(route, harness, account);
    const before = await harness.footprint();
    const { status, body } = await harness.call(route.method, path, {
      key: account.key,
      headers: { 'content-type': 'text/plain' },
      body: 'url=https://receiver.example/',
    });
    expect(status).toBe(415);
    expect(body).toMatchObject({ code: 'unsupported_media_type' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('is documented for these routes and for uploads, and for no other', () => {
    const { paths } = openApiDocument(harness.app);
    const documented = KEY_ROUTES.filter(
      ({ method, path }) => '415' in paths[path]![method.toLowerCase() as 'get']!.responses,
    ).map(({ operationId }) => operationId);
    const ofFiles = ['uploadImage', 'completeDirectUpload'];
    expect(documented.toSorted()).toEqual(
      [...ofFiles, ...JSON_ROUTES.map(({ operationId }) => operationId)].toSorted(),
    );
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ env: { PUBLIC_URL: 'https://proxy.example/images' } });
});
afterAll(() => harness?.close());

it('clients of the OpenAPI document send requests below the path of PUBLIC_URL', async () => {
  const { body } = await harness.call('GET', '/openapi.json');
  expect(body).toMatchObject({ servers: [{ url: '/images' }] });
});

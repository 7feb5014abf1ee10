import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /files/src_… → 400', () => {
  it('when exp or sig is given twice', async () => {
    const source = await harness.newSource(await harness.createAccount());
    const path = source.url.replace(PUBLIC_URL, '');
    for (const more of ['exp=1', 'sig=x']) {
      const { status, body } = await harness.call('GET', `${path}&${more}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ field: more.split('=')[0] }] });
    }
  });
});

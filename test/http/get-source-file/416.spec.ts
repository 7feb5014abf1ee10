import { afterAll, beforeAll, describe } from 'vitest';
import { itRefusesRangesAfterTheEnd, type ServedFile, servedFile } from '../../support/app/file-ranges.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let file: ServedFile;
beforeAll(async () => {
  harness = await sharedHarness();
  const account = await harness.createAccount();
  const bytes = await photo(40, 30, 'png');
  const path = (await harness.newSource(account, bytes)).url.replace(PUBLIC_URL, '');
  file = await servedFile(harness, path, bytes);
});
afterAll(() => harness.close());

describe('GET /files/src_… → 416', () => {
  itRefusesRangesAfterTheEnd(() => file);
});

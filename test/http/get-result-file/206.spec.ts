import { afterAll, beforeAll, describe } from 'vitest';
import { itAnswersOneRange, type ServedFile, servedFile } from '../../support/app/file-ranges.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { newResult } from '../../support/app/results.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let file: ServedFile;
beforeAll(async () => {
  harness = await sharedHarness();
  const account = await harness.createAccount();
  const bytes = Buffer.from('the pixels of a result');
  const path = (await newResult(harness, account, bytes)).resultUrl.replace(PUBLIC_URL, '');
  file = await servedFile(harness, path, bytes);
});
afterAll(() => harness.close());

describe('GET /files/job_… → 206', () => {
  itAnswersOneRange(() => file);
});

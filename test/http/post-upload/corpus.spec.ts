import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

/** Public conformance files and hostile files next to the repository; missing groups are skipped. */
const CORPUS = '../shared/data/files';
const GROUPS = ['avif', 'exif-orientation', 'hostile', 'pngsuite'];
const AT_ONCE = 4;

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  await harness.listen(account);
});
afterAll(() => harness.close());

describe('POST /api/ai/upload of every file of the corpus', () => {
  for (const group of GROUPS) {
    it.skipIf(!existsSync(join(CORPUS, group)))(`${group}: 201 or the right refusal`, async () => {
      const paths = readdirSync(join(CORPUS, group)).map((name) => join(CORPUS, group, name));
      expect(paths.length).toBeGreaterThan(0);
      const before = await harness.footprint();
      let kept = 0;
      for (let at = 0; at < paths.length; at += AT_ONCE) {
        const batch = paths.slice(at, at + AT_ONCE);
        const answers = await Promise.all(
          batch.map(async (path) => harness.upload(account.key, await readFile(path))),
        );
        for (const [index, { status, text }] of answers.entries()) {
          expect([201, 415, 422], `${batch[index]} ${text}`).toContain(status);
          if (status === 201) kept += 1;
        }
      }
      const after = await harness.footprint();
      expect(after.sources - before.sources).toBe(kept);
      expect(after.objects - before.objects).toBe(kept);
      expect(after.events - before.events).toBe(2 * kept);
      expect(after.temporaryFiles).toBe(0);
      if (group !== 'hostile' && group !== 'pngsuite') expect(kept).toBe(paths.length);
    });
  }
});

import { execFile, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { SharedService } from '../support/roles/shared-service.js';
import { codeBlock, codeBlocks } from '../support/source/code-blocks.js';

const hasJq = spawnSync('jq', ['--version']).status === 0;

const READ_PORTRAIT =
  'curl -s "$IMAGE_ENHANCEMENT_URL/api/ai/presets/portrait" -H "x-api-key: $IMAGE_ENHANCEMENT_API_KEY"';

/** What the quickstart exports. */
const EXPORTED = ['IMAGE_ENHANCEMENT_URL', 'IMAGE_ENHANCEMENT_API_KEY'];
/** Explained beside the command that uses them. */
const EXPLAINED = ['OPERATOR_KEY', 'TEST_KEY', 'UPLOAD_URL', 'url'];

/** Runs what the pages show, as a reader would. */
describe('commands of the documents', () => {
  let service: SharedService;
  let key: string;

  beforeAll(async () => {
    service = await SharedService.join();
    ({ key } = (await service.client()).account);
  });
  afterAll(() => service?.close());

  const run = async (code: string, more: Record<string, string> = {}): Promise<Record<string, unknown>> => {
    const names = { IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: key };
    const env = { PATH: process.env['PATH'], ...names, ...more };
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', code], { env });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it('use the variables that the quickstart exports', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    const requests = pages.flatMap((page) =>
      codeBlocks(`docs/${page}`)
        .filter(({ language, code }) => language === 'bash' && /x-api-key: /i.test(code))
        .map(({ code }) => ({ page, code })),
    );
    expect(requests.length).toBeGreaterThan(10);
    for (const { page, code } of requests) {
      expect(code, page).not.toMatch(/curl .*http:/);
      for (const [, name] of code.matchAll(/(?:x-api-key: |curl .*")\$(\w+)/gi)) {
        expect([...EXPORTED, ...EXPLAINED], page).toContain(name);
      }
    }
  });

  it.skipIf(!hasJq)('save a built-in preset under another name (needs jq)', async () => {
    const portrait = await run(READ_PORTRAIT);
    const { operations, output } = portrait;
    const saved = await run(codeBlock('docs/presets.md', 'Built-in presets', 'bash'));
    expect(saved).toMatchObject({ operations, output, isBuiltIn: false });
  });

  it('list the first page of jobs without a cursor, and send the cursor of another one', async () => {
    const shown = codeBlock('docs/api.md', 'Pagination', 'bash');
    expect(await run(shown)).toMatchObject({ data: [], hasMore: false, nextCursor: null });
    // A refusal shows that it was sent.
    expect(await run(shown, { CURSOR: 'none' })).toMatchObject({ code: 'invalid_cursor' });
  });
});

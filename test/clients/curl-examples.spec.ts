import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SharedService } from '../support/roles/shared-service.js';
import { codeBlock } from '../support/source/code-blocks.js';

const hasJq = spawnSync('jq', ['--version']).status === 0;

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
    const shown = code.replaceAll('http://localhost:3000', service.baseUrl);
    const names = { IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: key, KEY: key };
    const env = { PATH: process.env['PATH'], ...names, ...more };
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', shown], { env });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it.skipIf(!hasJq)('save a built-in preset under another name (needs jq)', async () => {
    const portrait = await run('curl -s http://localhost:3000/api/ai/presets/portrait -H "x-api-key: $KEY"');
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

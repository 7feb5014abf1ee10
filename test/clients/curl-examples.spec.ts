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

  const run = async (code: string): Promise<Record<string, unknown>> => {
    const shown = code.replaceAll('http://localhost:3000', service.baseUrl);
    const env = { PATH: process.env['PATH'], KEY: key };
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', shown], { env });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it.skipIf(!hasJq)('save a built-in preset under another name (needs jq)', async () => {
    const portrait = await run('curl -s http://localhost:3000/api/ai/presets/portrait -H "x-api-key: $KEY"');
    const { operations, output } = portrait;
    const saved = await run(codeBlock('docs/presets.md', 'Built-in presets', 'bash'));
    expect(saved).toMatchObject({ operations, output, isBuiltIn: false });
  });
});

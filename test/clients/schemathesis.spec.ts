import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT_TOOLS, missingTool } from '../../scripts/contract/tools.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { ACCEPTED_BY_SCHEMATHESIS } from '../contracts/accepted-findings.js';
import { FlowService } from '../support/roles/flow-service.js';

const MISSING = missingTool(CONTRACT_TOOLS.schemathesis);

interface Report {
  readonly complete: boolean;
  readonly failures: readonly { readonly code: string; readonly operations: readonly string[] }[];
  readonly errors: readonly { readonly title: string }[];
  readonly operations: { readonly tested: number };
}

/** Runs Schemathesis with all checks and phases, and with the same requests each time. */
function run(folder: string, baseUrl: string, key: string): Promise<{ report: Report; output: string }> {
  const file = join(folder, 'report.json');
  const options =
    '--checks all --mode all --max-examples 3 --generation-deterministic --continue-on-failure --no-shrink --no-color --request-timeout 20';
  const args = ['run', join(ROOT, 'docs', 'openapi.json'), '--url', baseUrl, '--header', `x-api-key: ${key}`];
  args.push(...options.split(' '), '--report-json-path', file);
  return new Promise((resolve, reject) => {
    // It exits with 1 when there are findings, which are in the report.
    execFile(CONTRACT_TOOLS.schemathesis, args, { cwd: folder, maxBuffer: 2 ** 26 }, (_, output, stderr) => {
      readFile(file, 'utf8').then(
        (text) => resolve({ report: JSON.parse(text) as Report, output }),
        () =>
          reject(new Error(`schemathesis wrote no report: ${output.slice(-2_000)}${stderr.slice(-2_000)}`)),
      );
    });
  });
}

describe.skipIf(MISSING !== '')(`the API against its own OpenAPI document${MISSING}`, () => {
  let service: FlowService;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ies-contract-'));
    service = await FlowService.start({ roles: ['api', 'worker'], models: ['upscale'] });
  });
  afterAll(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('passes all checks of Schemathesis, except for the accepted findings', async () => {
    const { account } = await service.client({ rpm: 1_000_000, enhancements: 1_000_000 });
    await service.database.rows(`UPDATE api_keys SET scopes = scopes || '{webhook:manage}'`);
    const { report, output } = await run(folder, service.baseUrl, account.key);
    const found = report.failures.flatMap(({ code, operations }) =>
      operations.map((each) => `${code} ${each}`),
    );
    const isAccepted = (finding: string) =>
      Object.keys(ACCEPTED_BY_SCHEMATHESIS).some((accepted) => matches(accepted, finding));
    expect(
      found.filter((finding) => !isAccepted(finding)),
      output.slice(-20_000),
    ).toEqual([]);
    expect(report).toMatchObject({ complete: true, errors: [] });
  });
});

/** Whether a finding is an accepted one: `code METHOD /path`, or `code METHOD *`. */
function matches(accepted: string, finding: string): boolean {
  return accepted === finding || (accepted.endsWith(' *') && finding.startsWith(accepted.slice(0, -1)));
}

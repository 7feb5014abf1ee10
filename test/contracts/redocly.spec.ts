import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NODE_MODULES, ROOT } from '../../scripts/lib/paths.mjs';
import { ACCEPTED_BY_REDOCLY } from './accepted-findings.js';

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer: string }[];
}

/** The findings of `redocly lint` with its recommended rules. */
function lint(document: string): Promise<readonly Problem[]> {
  const program = join(NODE_MODULES, '@redocly', 'cli', 'bin', 'cli.js');
  const args = [program, 'lint', '--extends=recommended', '--format=json', '--max-problems=1000', document];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve, reject) => {
    // It exits with 1 when there are errors, which are in the output.
    execFile(process.execPath, args, { env, cwd: ROOT, maxBuffer: 2 ** 24 }, (_, stdout, stderr) => {
      const start = stdout.indexOf('{');
      if (start < 0) reject(new Error(`redocly printed no JSON: ${stderr}`));
      else resolve((JSON.parse(stdout.slice(start)) as { problems: Problem[] }).problems);
    });
  });
}

describe('docs/openapi.json', () => {
  it('passes the recommended rules of Redocly, except for the accepted findings', async () => {
    const problems = await lint(join(ROOT, 'docs', 'openapi.json'));
    const found = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]!.pointer}`);
    expect(found.toSorted()).toEqual(Object.keys(ACCEPTED_BY_REDOCLY).toSorted());
  });
});

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSchemathesis } from '../../../scripts/fuzz/schema-target.mjs';

const STAGE = { api: { port: 1 }, account: { key: 'key' } };

describe('the target `schema` of `npm run fuzz`', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ies-schema-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a program in place of Schemathesis, whose function `report` writes its report. */
  function run(code: string, seconds = 60) {
    const program = join(folder, 'schemathesis.cjs');
    writeFileSync(
      program,
      `#!${process.execPath}
      const option = process.argv.find((each) => each.startsWith('--report-json-path='));
      const report = (complete, failures, errors = []) => require('node:fs').writeFileSync(
        option.slice(option.indexOf('=') + 1),
        JSON.stringify({ complete, failures, errors, test_cases: { generated: 3 } }),
      );
      ${code}`,
    );
    chmodSync(program, 0o755);
    return runSchemathesis(STAGE, { seconds, seed: 1, program, folder });
  }

  it('counts failures and errors', () => {
    expect(
      run(
        `report(true, [{ operations: ['GET /a', 'GET /b'] }, { operations: ['GET /a'] }], [{}]); process.exitCode = 1;`,
      ),
    ).toMatchObject({
      cases: '3 cases',
      findings: 4,
    });
    expect(run(`report(true, []);`)).toMatchObject({ findings: 0 });
  });

  it('counts what was found before the time limit', () => {
    const result = run(
      `process.on('SIGINT', () => { report(false, [{ operations: ['GET /a'] }]); process.exit(130); });
      setInterval(() => undefined, 1_000);`,
      5,
    );
    expect(result).toMatchObject({ cases: '3 cases, not done in its time', findings: 1 });
  });

  it('reads an output of several megabytes', () => {
    const result = run(
      `report(true, [{ operations: ['GET /a'] }]); process.stdout.write('x'.repeat(3e6) + '\\nThe end');`,
    );
    expect(result).toMatchObject({ findings: 1 });
    expect(result.text).toMatch(/\nThe end$/);
  });

  it('distinguishes an error of Schemathesis from its findings', () => {
    const message = /did not run to its end[^]*No such option: --seed/;
    const fail = `console.error('No such option: --seed'); process.exitCode = 2;`;
    expect(() => run(fail)).toThrow(message);
    expect(() => run(`report(false, []); ${fail}`)).toThrow(message);
  });
});

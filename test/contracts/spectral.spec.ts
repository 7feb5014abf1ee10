import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTRACT_TOOLS, missingTool } from '../../scripts/contract/tools.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { ACCEPTED_BY_SPECTRAL } from './accepted-findings.js';

const MISSING = missingTool(CONTRACT_TOOLS.spectral);

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** The findings of `spectral lint` with all of its rules for OpenAPI. */
async function lint(document: string): Promise<readonly Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ies-spectral-'));
  try {
    const ruleset = join(folder, 'ruleset.yaml');
    await writeFile(ruleset, 'extends: [["spectral:oas", all]]\n');
    const args = ['lint', '--ruleset', ruleset, '--format', 'json', '--quiet', document];
    const output = await new Promise<string>((resolve) => {
      // It exits with 1 when there are findings, which are in the output.
      execFile(CONTRACT_TOOLS.spectral, args, { maxBuffer: 2 ** 24 }, (_, stdout) => resolve(stdout));
    });
    return JSON.parse(output) as Finding[];
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('docs/openapi.json', () => {
  it.skipIf(MISSING !== '')(
    `passes all rules of Spectral, except for the accepted findings${MISSING}`,
    async () => {
      const findings = await lint(join(ROOT, 'docs', 'openapi.json'));
      const isAccepted = ({ code }: Finding) => Object.hasOwn(ACCEPTED_BY_SPECTRAL, code);
      const left = findings.filter((finding) => !isAccepted(finding));
      expect(left.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)).toEqual([]);
      const accepted = new Set(findings.filter(isAccepted).map(({ code }) => code));
      expect([...accepted].toSorted()).toEqual(Object.keys(ACCEPTED_BY_SPECTRAL).toSorted());
    },
  );
});

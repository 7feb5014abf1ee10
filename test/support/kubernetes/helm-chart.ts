import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { HELM_TOOLS } from '../../../scripts/helm/tools.mjs';
import { ROOT } from '../../../scripts/lib/paths.mjs';

export const CHART = join(ROOT, 'docker', 'helm');
/** A Helm built by `go install` does not know the current version. */
const KUBERNETES = '1.37.0';

export const hasHelm = existsSync(HELM_TOOLS.helm) && existsSync(HELM_TOOLS.validator);

/** For titles of specs that need Helm: names the command that installs the tools. */
export const NEEDS_HELM = '(npm run helm:setup installs what this needs)';

export type Values = Record<string, unknown>;

/** The least values that the chart accepts. */
export const MINIMAL = {
  publicUrl: 'https://images.example.com',
  secrets: { existingSecret: 'keys' },
  database: { existingSecret: 'database' },
  persistence: { existingClaim: 'images' },
};

/** The example of the chart's README. */
export const README_EXAMPLE = parse(
  /```yaml\n([\s\S]*?)```/.exec(readFileSync(join(CHART, 'README.md'), 'utf8'))![1]!,
) as Values;

interface Manifest<Spec> {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: Spec;
}

export interface HelmResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Checks the chart with these values, or renders it. */
export function helm(command: 'lint' | 'template', values: Values): HelmResult {
  const dir = mkdtempSync(join(tmpdir(), 'ies-helm-'));
  try {
    const file = join(dir, 'values.yaml');
    writeFileSync(file, stringify(values));
    const args =
      command === 'lint' ? ['lint', '--strict', CHART] : ['template', 'ies', CHART, '-n', 'images'];
    return spawnSync(HELM_TOOLS.helm, [...args, '--kube-version', KUBERNETES, '-f', file], {
      encoding: 'utf8',
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** The manifests of the chart. `Spec` has the fields that a spec reads. */
export function render<Spec>(values: Values): Manifest<Spec>[] {
  const { stdout, stderr, status } = helm('template', values);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return parseAllDocuments(stdout)
    .map((document) => document.toJSON() as Manifest<Spec> | null)
    .filter((manifest) => manifest !== null);
}

/** The only manifest of that kind and name. */
export function find<Spec>(manifests: readonly Manifest<Spec>[], kind: string, name: string): Manifest<Spec> {
  const found = manifests.filter((item) => item.kind === kind && item.metadata.name === name);
  expect(found.map((item) => item.metadata.name)).toEqual([name]);
  return found[0]!;
}

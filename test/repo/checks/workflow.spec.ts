import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isSupportedNode } from '../../../src/cli/supported-node.mjs';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

interface Workflow {
  readonly jobs: {
    readonly checks: {
      readonly container: { readonly image: string; readonly options: string };
      readonly strategy: { readonly matrix: { readonly node: readonly string[] } };
      readonly steps: readonly { readonly run?: string; readonly with?: Readonly<Record<string, unknown>> }[];
    };
  };
}

describe('the workflow of GitHub', () => {
  const { container, strategy, steps } = (parse(read('.github/workflows/checks.yml')) as Workflow).jobs
    .checks;

  it('runs the checks as root on the Debian of the images, whose packages they install', () => {
    const debian = /^ARG NODE_IMAGE=.+-(\w+)$/m.exec(read('docker/Dockerfile'))![1]!;
    expect(container.image).toBe(`node:\${{ matrix.node }}-${debian}`);
    // Sandboxes need namespaces, and ended orphans must not stay as zombies.
    expect(container.options.split(' ')).toEqual(expect.arrayContaining(['--privileged', '--init']));
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual([
      'git config --system --add safe.directory "$GITHUB_WORKSPACE"',
      'bash .ci/run',
    ]);
  });

  it('has the tags of all releases, of which a spec runs the previous one', () => {
    expect(steps[0]!.with).toMatchObject({ 'fetch-depth': 0 });
  });

  it('tries the oldest supported version of Node.js and later ones', () => {
    const { node } = strategy.matrix;
    expect(node[0]).toBe(read('.nvmrc').trim());
    // `22` is the newest 22.x.
    for (const version of node)
      expect(isSupportedNode(version.includes('.') ? version : `${version}.99`)).toBe(true);
  });

  it('runs the extended specs every night, in the same container', () => {
    const { on, jobs } = parse(read('.github/workflows/extended.yml')) as {
      readonly on: Readonly<Record<string, unknown>>;
      readonly jobs: { readonly extended: Workflow['jobs']['checks'] };
    };
    expect(Object.keys(on)).toContain('schedule');
    const { node } = strategy.matrix;
    expect(node.map((each) => container.image.replace('${{ matrix.node }}', each))).toContain(
      jobs.extended.container.image,
    );
    expect(jobs.extended.container.options).toBe(container.options);
    expect(jobs.extended.steps.map(({ run }) => run)).toContain('npm run test:extended');
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import {
  alertNames,
  MONITORING,
  panelQueries,
  readDashboards,
  RULES,
} from '../support/telemetry/monitoring-files.js';

const isInstalled = spawnSync('promtool', ['--version']).status === 0;
const why = isInstalled ? '' : ' (skipped: promtool is missing; it is in the Debian package prometheus)';

function promtool(...args: readonly string[]): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { status, text: `${stdout}${stderr}` };
}

describe.skipIf(!isInstalled)(`promtool${why}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ies-promtool-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('accepts the configuration and the rules', () => {
    const config = join(MONITORING, 'prometheus', 'prometheus.yaml');
    expect(promtool('check', 'config', '--syntax-only', config)).toMatchObject({ status: 0 });
    expect(promtool('check', 'rules', '--lint=all', '--lint-fatal', RULES)).toMatchObject({ status: 0 });
  });

  it('confirms that alerts fire when they should, and only then', () => {
    const tests = join(MONITORING, 'prometheus', 'alerts.test.yaml');
    expect(promtool('test', 'rules', tests)).toMatchObject({ status: 0 });
  });

  it('accepts the query of each panel', () => {
    const queries = panelQueries();
    expect(queries.length).toBeGreaterThan(40);
    const rules = queries.map(
      ({ query }, index) => `      - record: panel:${index}\n        expr: ${JSON.stringify(query)}`,
    );
    const file = join(folder, 'panels.yaml');
    writeFileSync(file, `groups:\n  - name: panels\n    rules:\n${rules.join('\n')}\n`);
    expect(promtool('check', 'rules', file)).toMatchObject({ status: 0 });
  });

  it('rejects an invalid rule', () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, readFileSync(RULES, 'utf8').replace('absent(', 'absent(('));
    expect(promtool('check', 'rules', file).status).not.toBe(0);
  });
});

describe('each alert', () => {
  const page = readFileSync(join(ROOT, 'docs', 'alerts.md'), 'utf8');

  it('has its own heading in docs/alerts.md, and every heading has an alert', () => {
    const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!);
    expect(alertNames().length).toBeGreaterThanOrEqual(19);
    expect(headings.toSorted()).toEqual(alertNames().toSorted());
  });

  it('links to its heading', () => {
    const links = [...readFileSync(RULES, 'utf8').matchAll(/^\s*runbook_url: (.*)$/gm)].map(
      ([, link]) => link!,
    );
    expect(links).toEqual(alertNames().map((name) => `docs/alerts.md#${name.toLowerCase()}`));
  });
});

describe('several installations of one Prometheus', () => {
  it('are kept apart by each alert', () => {
    const queries = [...readFileSync(RULES, 'utf8').matchAll(/^\s*expr: '(.*)'$/gm)].map(
      ([, query]) => query!,
    );
    expect(queries).toHaveLength(alertNames().length);
    for (const query of queries) {
      expect(query).not.toMatch(/\b(sum|max|min|avg|count) ?\(|without \(/);
      for (const [, labels] of query.matchAll(/by \(([^)]*)\)/g))
        expect(labels, query).toMatch(/^namespace\b/);
    }
  });

  it('are kept apart by each panel', () => {
    for (const { file, panels, templating } of readDashboards()) {
      expect(templating.list, file).toContainEqual(
        expect.objectContaining({ name: 'namespace', allValue: '.*' }),
      );
      const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      expect(queries.length, file).toBeGreaterThan(10);
      for (const query of queries)
        expect(query.replaceAll(/(\w+)\{namespace=~"\$namespace"/g, '')).not.toMatch(
          /\b((ies|nodejs|process)_\w+|up\{)/,
        );
    }
  });
});

describe('the dashboards', () => {
  it('show a figure of each alert', () => {
    const metricsIn = (text: string): string[] =>
      [...text.matchAll(/\b(?:up|(?:ies|nodejs|process)_[a-z0-9_]+)(?=[{[) ])/g)].map(([name]) => name);
    const drawn = new Set(panelQueries().flatMap(({ query }) => metricsIn(query)));
    const rules = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)\n\s*expr: '(.*)'$/gm)];
    expect(rules).toHaveLength(alertNames().length);
    for (const [, name, expr] of rules)
      expect(
        metricsIn(`${expr!} `).some((metric) => drawn.has(metric)),
        name,
      ).toBe(true);
  });

  it('have unique ids and use the provisioned data source', () => {
    const dashboards = readDashboards();
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
    for (const { file, panels } of dashboards) {
      expect(new Set(panels.map(({ id }) => id)).size, file).toBe(panels.length);
      const drawn = panels.filter(({ type }) => type !== 'row');
      for (const { title, datasource } of drawn)
        expect(datasource?.uid, `${file}: ${title}`).toBe('prometheus');
    }
  });
});

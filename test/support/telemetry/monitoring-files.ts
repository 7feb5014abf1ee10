import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/lib/paths.mjs';

export const MONITORING = join(ROOT, 'docker', 'observability');
export const RULES = join(MONITORING, 'prometheus', 'alerts.yaml');

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly expr: string }[];
}

export interface Dashboard {
  readonly file: string;
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly allValue?: string }[] };
}

export function readDashboards(): Dashboard[] {
  const folder = join(MONITORING, 'grafana', 'dashboards');
  return readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const { uid, panels, templating } = JSON.parse(text) as Omit<Dashboard, 'file'>;
    return { file, uid, panels, templating };
  });
}

/** The query of each panel, as Prometheus receives it. */
export function panelQueries(): { readonly panel: string; readonly query: string }[] {
  return readDashboards().flatMap(({ file, panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({
        panel: `${file}: ${title}`,
        query: expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', '.*'),
      })),
    ),
  );
}

/** The names of all alerts. */
export function alertNames(): string[] {
  return [...readFileSync(RULES, 'utf8').matchAll(/^\s*- alert: (\w+)$/gm)].map(([, name]) => name!);
}

/** Every metric of the service that a rule or a panel uses, by its registered name: histograms without suffix. */
export function namedMetrics(): string[] {
  const texts = [
    // Annotations name metrics for people; only evaluated expressions count here.
    ...readFileSync(RULES, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(summary|description):/.test(line)),
    ...panelQueries().map(({ query }) => query),
  ];
  const names = texts.flatMap((text) => text.match(/\b(?:ies|nodejs|process)_[a-z0-9_]+/g) ?? []);
  return [...new Set(names)].toSorted();
}

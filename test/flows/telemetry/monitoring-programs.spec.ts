import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { ListeningProgram } from '../../support/roles/listening-program.js';
import { MONITORING } from '../../support/telemetry/monitoring-files.js';
import { TraceCollector } from '../../support/telemetry/trace-collector.js';

const TOKEN = 'what-prometheus-sends';
/** Built with `ocb` from the receivers, processors and exporters that config.yaml uses, plus `otlphttp`. */
const COLLECTOR = join(homedir(), '.cache/otelcol/bin/otelcol');
const COLLECTOR_CONFIG = join(MONITORING, 'otel-collector', 'config.yaml');
const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;
const hasCollector = existsSync(COLLECTOR);

const folder = mkdtempSync(join(tmpdir(), 'ies-monitoring-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface ScrapeConfig {
  readonly job_name: string;
  readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[];
}

const noPrometheus = hasPrometheus ? '' : ' (skipped: prometheus is missing; it is a Debian package)';

describe.skipIf(!hasPrometheus)(`Prometheus${noPrometheus}`, () => {
  let service: FlowService;
  let prometheus: ListeningProgram;
  let ports: Readonly<Record<string, number>>;

  beforeAll(async () => {
    const [worker, dispatcher] = [await freePort(), await freePort()];
    service = await FlowService.start({
      env: { METRICS_TOKEN: TOKEN, WORKER_PORT: String(worker), DISPATCHER_PORT: String(dispatcher) },
    });
    ports = { api: Number(new URL(service.baseUrl).port), worker, dispatcher };
    const port = await freePort();
    const command = ['prometheus', `--config.file=${configured()}`, `--web.listen-address=127.0.0.1:${port}`];
    prometheus = await ListeningProgram.start([...command, `--storage.tsdb.path=${join(folder, 'tsdb')}`], {
      port,
    });
    await eventually('Prometheus to be ready', async () =>
      (await fetch(`${prometheus.url}/-/ready`)).ok ? { found: true } : {},
    );
  });
  afterAll(async () => {
    await prometheus?.close();
    await service?.close();
  });

  /** The configuration of the Compose file, except for the addresses, the path of the secret, and the interval. */
  function configured(): string {
    const text = readFileSync(join(MONITORING, 'prometheus', 'prometheus.yaml'), 'utf8');
    const token = join(folder, 'metrics_token');
    writeFileSync(token, `${TOKEN}\n`);
    const config = parse(text.replaceAll('/run/secrets/metrics_token', token)) as {
      global: object;
      scrape_configs: readonly ScrapeConfig[];
    };
    const scrapeConfigs = config.scrape_configs.map(({ dns_sd_configs: names, ...kept }) => ({
      ...kept,
      static_configs: [{ targets: names.map(({ names: [name] }) => `127.0.0.1:${ports[name!]}`) }],
    }));
    const path = join(folder, 'prometheus.yaml');
    const global = { ...config.global, scrape_interval: '1s' };
    const rules = { rule_files: [join(MONITORING, 'prometheus', 'alerts.yaml')] };
    writeFileSync(path, stringify({ ...config, ...rules, global, scrape_configs: scrapeConfigs }));
    return path;
  }

  async function query<T>(path: string): Promise<T> {
    return ((await (await fetch(`${prometheus.url}/api/v1/${path}`)).json()) as { data: T }).data;
  }

  it('scrapes every role with the token', async () => {
    const jobs = ['ies-api', 'ies-dispatcher', 'ies-worker'];
    const up = await eventually('three targets to be up', async () => {
      const { activeTargets } = await query<{
        activeTargets: readonly { labels: { job: string }; health: string; lastError: string }[];
      }>('targets');
      const found = activeTargets.filter(({ health }) => health === 'up').map(({ labels }) => labels.job);
      return found.length === jobs.length ? { found } : { seen: activeTargets };
    });
    expect(up.toSorted()).toEqual(jobs);
  });

  it('loads every alert', async () => {
    const { groups } = await query<{ groups: readonly { rules: readonly { lastError?: string }[] }[] }>(
      'rules',
    );
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThanOrEqual(19);
    for (const { lastError = '' } of rules) expect(lastError).toBe('');
  });
});

const noCollector = hasCollector ? '' : ` (skipped: ${COLLECTOR} is missing)`;

describe.skipIf(!hasCollector)(`the OpenTelemetry collector${noCollector}`, () => {
  it('accepts its configuration', () => {
    const { status, stderr } = spawnSync(COLLECTOR, ['validate', '--config', COLLECTOR_CONFIG], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });

  it('forwards a trace of the api', async () => {
    const backend = await TraceCollector.start();
    const port = await freePort();
    // As config.yaml suggests, the exporter of a tracing backend replaces the default.
    const config = readFileSync(COLLECTOR_CONFIG, 'utf8')
      .replace('0.0.0.0:4318', `127.0.0.1:${port}`)
      .replace(
        'debug:\n    verbosity: basic',
        `otlphttp:\n    endpoint: ${backend.endpoint}\n    encoding: json\n    compression: none`,
      )
      .replace('exporters: [debug]', 'exporters: [otlphttp]');
    const path = join(folder, 'collector.yaml');
    writeFileSync(path, `${config}\n  telemetry: { metrics: { level: none } }\n`);
    const collector = await ListeningProgram.start([COLLECTOR, '--config', path], { port });
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    const service = await FlowService.start({ roles: ['api'], env });
    try {
      const client = await service.client();
      await client.request('GET', '/api/usage');
      const span = await eventually('the span of the request', () => ({
        found: backend.spans.find(({ name }) => name === 'GET /api/usage'),
        seen: `${backend.spans.length} spans, ${collector.errors.slice(-500)}`,
      }));
      expect(span).toMatchObject({ service: 'ies-api', isError: false });
    } finally {
      await service.close();
      await collector.close();
      await backend.close();
    }
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DIST } from '../../scripts/lib/paths.mjs';
import { bareEnvironment } from '../../src/config/child-environment.js';

/** Loads the modules of every role, opens tracing, and prints the OpenTelemetry packages that are loaded. */
const PROGRAM = `
import { createRequire } from 'node:module';
await import('reflect-metadata');
for (const part of ['app/api/start-api.js', 'app/worker/start-worker.js', 'app/dispatcher/start-dispatcher.js'])
  await import(new URL(part, process.env.DIST_URL).href);
const { openTracing } = await import(new URL('infra/telemetry/tracing/open-tracing.js', process.env.DIST_URL).href);
await openTracing({ serviceName: 'test', endpoint: process.env.ENDPOINT, warn: () => undefined });
const files = Object.keys(createRequire(import.meta.url).cache).map((path) => path.replaceAll('\\\\', '/'));
const names = files.flatMap((path) => /node_modules\\/@opentelemetry\\/([^/]+)\\//.exec(path)?.[1] ?? []);
process.stdout.write(JSON.stringify([...new Set(names)]));
process.exit(0);
`;

async function loaded(endpoint?: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: {
      ...bareEnvironment(),
      DIST_URL: `${pathToFileURL(join(DIST)).href}/`,
      ...(endpoint === undefined ? {} : { ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
    },
  });
  return JSON.parse(stdout) as string[];
}

describe('openTracing', () => {
  it('loads no OpenTelemetry package without a collector', async () => {
    expect(await loaded()).toEqual([]);
  });

  it('loads the SDK and the exporter with a collector', async () => {
    expect(await loaded('http://127.0.0.1:9')).toEqual(
      expect.arrayContaining(['api', 'sdk-trace-base', 'exporter-trace-otlp-http']),
    );
  });
});

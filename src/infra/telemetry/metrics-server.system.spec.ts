import { createServer, type Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../database/embedded/free-port.js';
import { InferenceMetrics } from './inference-metrics.js';
import { Metrics } from './metrics.js';
import { MetricsServer } from './metrics-server.js';

describe('MetricsServer', () => {
  let server: MetricsServer | undefined;
  let blocker: Server | undefined;
  const warnings: string[] = [];

  afterEach(async () => {
    await server?.close();
    server = undefined;
    blocker?.close();
    warnings.length = 0;
  });

  async function start(
    metrics: Metrics,
    token?: string,
    notReady?: () => Promise<string | undefined>,
  ): Promise<string> {
    const port = await freePort();
    server = new MetricsServer(metrics, {
      host: '127.0.0.1',
      port,
      token,
      warn: (text) => warnings.push(text),
      ...(notReady === undefined ? {} : { notReady }),
    });
    return `http://127.0.0.1:${port}`;
  }

  it('exposes the recorded metrics', async () => {
    const metrics = new Metrics('worker');
    const inference = new InferenceMetrics(metrics);
    inference.runsOn('cpu');
    inference.onRun({ stageId: 'upscale/1/x4', items: 3, size: 4, runMs: 20, end: 'done' });
    inference.onRun({ stageId: 'upscale/1/x4', items: 4, size: 4, runMs: 1, end: 'out_of_memory' });
    inference.onWait('upscale/1/x4', 5);
    const base = await start(metrics);
    const text = await (await fetch(`${base}/metrics`)).text();
    const value = (name: string, label: string): number =>
      Number(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (.+)$`, 'm').exec(text)?.[1]);
    const stage = 'stage="upscale/1/x4"';
    expect(value('ies_batch_items_sum', stage)).toBe(3);
    expect(value('ies_batch_places_total', stage)).toBe(4);
    expect(value('ies_stage_run_seconds_count', stage)).toBe(1);
    expect(value('ies_stage_wait_seconds_sum', stage)).toBe(0.005);
    expect(value('ies_stage_runs_total', 'end="out_of_memory"')).toBe(1);
    expect(value('ies_device_info', 'device="cpu"')).toBe(1);
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds/);
  });

  it('exposes the age of the oldest batch on the device', async () => {
    const metrics = new Metrics('worker');
    const inference = new InferenceMetrics(metrics);
    const ageSeconds = async () =>
      (await metrics.registry.getSingleMetric('ies_oldest_batch_seconds')!.get()).values[0]!.value;
    expect(await ageSeconds()).toBe(0);
    const sentMs = performance.now();
    const oldest = inference.onSent();
    await setTimeout(5);
    const newest = inference.onSent();
    expect(await ageSeconds()).toBeGreaterThan(0.004);
    newest();
    expect(await ageSeconds()).toBeGreaterThan(0.004);
    expect(await ageSeconds()).toBeLessThanOrEqual((performance.now() - sentMs) / 1_000);
    oldest();
    expect(await ageSeconds()).toBe(0);
  });

  it('reports liveness and readiness without a token', async () => {
    const base = await start(new Metrics('worker'), 'secret');
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    expect((await fetch(`${base}/health/ready`)).status).toBe(200);
    server!.drain();
    expect((await fetch(`${base}/health/ready`)).status).toBe(503);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
  });

  it('explains why it is not ready', async () => {
    let reason: string | undefined = 'database: unavailable';
    const base = await start(new Metrics('dispatcher'), undefined, async () => reason);
    const answer = await fetch(`${base}/health/ready`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await answer.text()).toBe('not ready: database: unavailable\n');
    reason = undefined;
    expect((await fetch(`${base}/health/ready`)).status).toBe(200);
  });

  it('requires the token for metrics if one is set', async () => {
    const base = await start(new Metrics('worker'), 'secret');
    expect((await fetch(`${base}/metrics`)).status).toBe(401);
    const headers = { authorization: 'Bearer secret' };
    expect((await fetch(`${base}/metrics`, { headers })).status).toBe(200);
  });

  it('serves nothing else', async () => {
    const base = await start(new Metrics('worker'));
    expect((await fetch(`${base}/api/ai/enhance`)).status).toBe(404);
    expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  it('waits for a port that another process still holds', async () => {
    const port = await freePort();
    blocker = createServer();
    await new Promise<void>((resolve) => blocker!.listen(port, '127.0.0.1', resolve));
    const options = { host: '127.0.0.1', port, token: undefined };
    server = new MetricsServer(new Metrics('worker'), { ...options, warn: (text) => warnings.push(text) });
    await expect.poll(() => warnings.length).toBe(1);
    blocker.close();
    await expect
      .poll(
        async () => (await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined))?.status,
        {
          timeout: 10_000,
        },
      )
      .toBe(200);
  });
});

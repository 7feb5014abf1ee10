import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelHealthDto } from '../../../src/models/serving/model-health.dto.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { openFilesOf } from '../../support/roles/flow-processes.js';
import { FlowService } from '../../support/roles/flow-service.js';

describe('the devices of a worker', () => {
  let service: FlowService;
  let client: FlowClient;
  beforeAll(async () => {
    // An empty value counts as unset; the test setup sets this variable.
    const env = { INFERENCE_DEVICES: 'cpu,cpu', WORKER_CONCURRENCY: '4', ORT_DISABLE_TELEMETRY: '' };
    service = await FlowService.start({ models: ['auto_enhance', 'smooth_skin', 'upscale'], env });
    client = await service.client();
  });
  afterAll(() => service?.close());

  it('run jobs concurrently, and every job reports the kind of its device', async () => {
    const { url } = await client.upload(await solidFile(300, 200, [180, 120, 90]));
    const jobs = await Promise.all(
      ['auto_enhance', 'upscale', 'auto_enhance', 'smooth_skin', 'auto_enhance', 'upscale'].map((operation) =>
        client.create(url, { operation, level: 'low' }),
      ),
    );
    const results = new Map<string, Set<string>>();
    for (const { id, operation } of jobs) {
      const { device, result } = await client.completed(id);
      expect(device).toBe('cpu');
      results.set(operation, (results.get(operation) ?? new Set()).add(result!.sha256));
    }
    // The same order produces the same file on every thread.
    for (const [operation, hashes] of results) expect(hashes.size, operation).toBe(1);
    const { json } = await client.request('GET', '/health/models');
    expect((json as unknown as ModelHealthDto).workers).toMatchObject([
      { device: 'cpu,cpu', state: 'serving' },
    ]);
  });

  it.skipIf(process.platform !== 'linux')('send no ONNX Runtime telemetry', () => {
    const files = openFilesOf(service.role('worker').pid);
    // Its telemetry writes a log and a database of unsent events.
    expect(files.filter((name) => /mat-debug|onnxruntime\.db/.test(name))).toEqual([]);
    // The worker is the process that runs the models, so the files would be here.
    expect(files.length).toBeGreaterThan(10);
  });

  it.each([
    [
      { INFERENCE_DEVICES: '', INFERENCE_DEVICE: 'tensorrt' },
      /does not run on tensorrt: .*choose another device/s,
    ],
    [{ INFERENCE_DEVICES: 'cpu,cuda:1' }, /does not run on cuda:1: /],
    [{ INFERENCE_DEVICES: 'cpu:1' }, /INFERENCE_DEVICES cannot choose among devices with cpu/],
  ])('keep the worker from starting if they do not load: %j', async (env, sentence) => {
    await expect(service.startRole('worker', env)).rejects.toThrow(sentence);
  });
});

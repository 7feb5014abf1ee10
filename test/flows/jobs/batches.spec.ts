import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const PRESET = {
  operations: [
    { operation: 'auto_enhance', level: 'low' },
    { operation: 'smooth_skin', level: 'low' },
  ],
  output: { format: 'webp' },
};

describe('a batch of chains with a real worker', () => {
  let service: FlowService;
  let client: FlowClient;
  beforeAll(async () => {
    service = await FlowService.start({ models: ['auto_enhance', 'smooth_skin'] });
    client = await service.client();
  });
  afterAll(() => service?.close());

  const ended = (id: string) =>
    eventually('the batch to end', async () => {
      const { json } = await client.request('GET', `/api/ai/batches/${id}`);
      return json['completedAt'] === null ? { seen: json } : { found: json };
    });

  it('applies the preset to every item, charges each operation once, and packs the results', async () => {
    expect((await client.request('PUT', '/api/ai/presets/soft', PRESET)).status).toBe(201);
    const colors = [10, 90, 170];
    const sources = await Promise.all(
      colors.map(async (color) => client.upload(await solidFile(40, 30, [color, 120, 200]))),
    );
    const body = { sourceUrls: sources.map(({ url }) => url), preset: 'soft', expiresIn: 3_600 };
    const dry = await client.request('POST', '/api/ai/batches', { ...body, dryRun: true });
    expect(dry.json).toMatchObject({ total: 3, cost: 6 });
    const made = await client.request('POST', '/api/ai/batches', body);
    expect(made.status, JSON.stringify(made.json)).toBe(201);
    const id = made.json['id'] as string;
    expect(await ended(id)).toMatchObject({ status: 'completed', counts: { completed: 3, failed: 0 } });
    const { json } = await client.request('GET', `/api/ai/batches/${id}/jobs`);
    const jobs = json['data'] as { preset: string; operations: { model: object }[]; result: object }[];
    expect(jobs).toHaveLength(3);
    for (const { preset, operations, result } of jobs) {
      expect(preset).toBe('soft');
      expect(operations.map(({ model }) => model)).toEqual([
        expect.objectContaining({ version: 1 }),
        expect.objectContaining({ version: 1 }),
      ]);
      expect(result).toMatchObject({ format: 'webp', width: 40, height: 30 });
    }
    expect((await client.usage()).enhancements.used).toBe(6);
    const archive = await client.request('GET', `/api/ai/batches/${id}/results.zip`);
    expect(archive.status).toBe(200);
    expect(archive.headers.get('content-type')).toBe('application/zip');
  });

  it('completes after its worker is killed', async () => {
    const { url } = await client.upload(await solidFile(900, 700, [20, 90, 160]));
    const body = { sourceUrls: Array.from({ length: 12 }, () => url), operations: PRESET.operations };
    const { json } = await client.request('POST', '/api/ai/batches', body);
    const id = json['id'] as string;
    await eventually('a first item to be done', async () => {
      const seen = (await client.request('GET', `/api/ai/batches/${id}`)).json;
      return (seen['counts'] as { completed: number }).completed > 0 ? { found: true } : { seen };
    });
    await service.killRole('worker');
    await service.startRole('worker');
    expect(await ended(id)).toMatchObject({ status: 'completed', counts: { completed: 12, failed: 0 } });
    expect((await client.usage()).enhancements.used).toBe(6 + 24);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowModels } from '../../support/models/flow-models.js';
import type { FlowRole } from '../../support/roles/flow-role.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const UPSCALE = { operation: 'upscale', level: 'low' } as const;

describe('workers that serve different operations', () => {
  let all: FlowModels;
  let few: FlowModels;
  let service: FlowService;
  let client: FlowClient;
  let capable: FlowRole;
  let url: string;

  beforeAll(async () => {
    all = await FlowModels.create('auto_enhance', 'upscale');
    few = await FlowModels.create('auto_enhance');
    service = await FlowService.start({ env: { MODELS_DIR: all.dir }, roles: ['api', 'dispatcher'] });
    await service.startRole('worker', { MODELS_DIR: few.dir });
    capable = await service.startRole('worker');
    client = await service.client();
    ({ url } = await client.upload(await solidFile(500, 400, [20, 90, 160])));
  });
  afterAll(async () => {
    await service?.close();
    await all?.close();
    await few?.close();
  });

  const create = (count: number, order: { operation: string; level?: 'low' }): Promise<JobDto[]> =>
    Promise.all(Array.from({ length: count }, () => client.create(url, order)));

  /** How many of these jobs are in each state. */
  async function states(jobs: readonly JobDto[]): Promise<Record<string, number>> {
    const rows = await Promise.all(jobs.map(({ id }) => client.request('GET', `/api/ai/enhance/${id}`)));
    const found = rows.map(({ json }) => (json as unknown as JobDto).status);
    return Object.fromEntries(
      [...new Set(found)].map((state) => [state, found.filter((one) => one === state).length]),
    );
  }

  it('run every job on a worker that can, whichever worker got the message', async () => {
    const jobs = [...(await create(3, UPSCALE)), ...(await create(3, { operation: 'auto_enhance' }))];
    for (const { id } of jobs) expect((await client.completed(id)).attempts).toBe(1);
  });

  it.each(['drains', 'dies'] as const)(
    'let jobs wait when the only capable worker %s, until the next one runs them',
    async (how) => {
      const jobs = await create(8, UPSCALE);
      await eventually('the worker to be at it', async () => {
        const seen = await states(jobs);
        return (seen['completed'] ?? 0) >= 1 ? { found: true } : { seen };
      });
      await (how === 'drains' ? capable.terminate() : capable.kill());
      const others = await create(4, { operation: 'auto_enhance' });
      for (const { id } of others) await client.completed(id);
      // By then, the other worker has looked for jobs several times.
      await sleep(5_000);
      const seen = await states(jobs);
      expect(seen['failed']).toBeUndefined();
      expect(seen['queued'] ?? 0).toBeGreaterThan(0);
      capable = await service.startRole('worker');
      for (const { id } of jobs) await client.completed(id);
    },
  );
});

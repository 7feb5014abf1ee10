import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowModels } from '../../support/models/flow-models.js';
import type { FlowRole } from '../../support/roles/flow-role.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const PINNED = { operation: 'auto_enhance', model: 'auto_enhance@1' };

describe('jobs that pin a model version', () => {
  let old: FlowModels;
  let both: FlowModels;
  let service: FlowService;
  let client: FlowClient;
  let first: FlowRole;
  let url: string;

  beforeAll(async () => {
    old = await FlowModels.create('auto_enhance');
    both = await FlowModels.create('auto_enhance');
    await both.drop('auto_enhance', 2);
    service = await FlowService.start({ env: { MODELS_DIR: both.dir }, roles: ['api', 'dispatcher'] });
    first = await service.startRole('worker', { MODELS_DIR: old.dir });
    client = await service.client();
    ({ url } = await client.upload(await solidFile(64, 48, [20, 90, 160])));
  });
  afterAll(async () => {
    await service?.close();
    await old?.close();
    await both?.close();
  });

  const create = (order: object) =>
    client.request('POST', '/api/ai/enhance', { sourceUrl: url, cache: false, ...order });

  const versionOf = async (id: string): Promise<number | undefined> =>
    (await client.completed(id)).model?.version;

  it('run on that version while a worker serves it, even one that starts later', async () => {
    await service.startRole('worker');
    await eventually('version 2 to be offered', async () => {
      const { json } = await client.request('GET', '/api/ai/operations');
      return JSON.stringify(json).includes('"version":2') ? { found: true } : { seen: json };
    });
    const { json: newest } = await create({ ...PINNED, model: 'auto_enhance@2' });
    expect(await versionOf(newest['id'] as string)).toBe(2);
    const waiting = await Promise.all(Array.from({ length: 8 }, () => create(PINNED)));
    for (const { status, json } of waiting) expect(status, JSON.stringify(json)).toBe(201);
    // Version 2 fulfills the promise of an ordinary job, but must still leave these jobs to version 1.
    for (const { json } of waiting) expect(await versionOf(json['id'] as string)).toBe(1);
    await first.kill();
    const { json: left } = await create(PINNED);
    const keeper = await service.startRole('worker');
    expect(await versionOf(left['id'] as string)).toBe(1);
    await keeper.terminate();
  });

  it('run if they were accepted after the new worker had read what was promised', async () => {
    const before = await service.startRole('worker', { MODELS_DIR: old.dir });
    await before.terminate();
    const { status, json } = await create(PINNED);
    expect(status, JSON.stringify(json)).toBe(201);
    const id = json['id'] as string;
    // To the new worker, the job is created only after its start.
    await service.database.rows(`UPDATE jobs SET status = 'failed', error_code = 'x' WHERE id = $1`, [id]);
    const next = await service.startRole('worker', { MODEL_SWAP: 'exit' });
    await service.database.rows(`UPDATE jobs SET status = 'queued', error_code = NULL WHERE id = $1`, [id]);
    await service.database.rows(
      `UPDATE model_workers SET started_at = now() - interval '2 minutes', left_at = NULL,
              seen_at = CASE WHEN pid = $1 THEN seen_at ELSE now() - interval '1 minute' END`,
      [next.pid],
    );
    expect(await next.ended).toMatchObject({ code: 75 });
    const after = await service.startRole('worker');
    expect(await versionOf(id)).toBe(1);
    await after.terminate();
  });

  it('are refused once no worker serves that version', async () => {
    const refused = await eventually('version 1 to be gone', async () => {
      const answer = await create(PINNED);
      return answer.status === 400 ? { found: answer } : { seen: answer.status };
    });
    expect(refused.json).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'model', code: 'not_served' }],
    });
    expect(JSON.stringify(refused.json)).toContain('Use auto_enhance@2, or omit model.');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountErasureRepository } from '../../../src/accounts/account-erasure.repository.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { Database } from '../../../src/infra/database/database.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { FlowVisitor } from '../../support/roles/flow-visitor.js';
import { eventually } from '../../support/roles/flow-wait.js';

const EMAIL = 'short.lived@example.org';
const PASSWORD = 'a cow jumped over the moon';

describe('an account deleted while its jobs run', () => {
  let service: FlowService;
  beforeAll(async () => {
    service = await FlowService.start({ models: ['upscale'] });
  });
  afterAll(() => service?.close());

  it('is gone with all its objects, while the worker keeps serving other accounts', async () => {
    const other = await service.client();
    const kept = await other.enhance(await solidFile(40, 30, [200, 40, 40]), { operation: 'upscale' });
    const visitor = await FlowVisitor.signUp(service.baseUrl, EMAIL, PASSWORD);
    const { key } = await visitor.expected<{ key: string }>(201, 'POST', '/keys', { name: 'Laptop' });
    const { url } = await visitor.upload(await busyFile());
    const done = await visitor.expected<{ id: string }>(201, 'POST', '/ai/enhance', {
      sourceUrl: (await visitor.upload(await solidFile(40, 30, [40, 200, 40]))).url,
      operation: 'upscale',
    });
    await visitor.until(done.id, 'completed');
    const { thumbnailUrl } = await visitor.expected<{ thumbnailUrl: string }>(
      200,
      'GET',
      `/ai/enhance/${done.id}`,
    );
    const thumbnail = await eventually('the thumbnail', async () => {
      const answer = await fetch(thumbnailUrl);
      return answer.status === 200 ? { found: answer } : { seen: answer.status };
    });
    expect(thumbnail.headers.get('content-type')).toBe('image/webp');
    const running = await visitor.expected<{ id: string }>(201, 'POST', '/ai/enhance', {
      sourceUrl: url,
      ...BUSY_ORDER,
    });
    await visitor.until(running.id, 'processing');

    await visitor.expected(204, 'POST', '/account/delete', { confirmation: EMAIL, password: PASSWORD });
    const [, id] = /(job_\w+)/.exec(kept.job.resultUrl!)!;
    await eventually('every object of the account to be gone', async () => {
      const files = await service.files();
      const isClean =
        files.results.length === 1 && files.sources.length === 1 && files.thumbnails.join() === `${id}.webp`;
      return isClean && files.temporary.length === 0 ? { found: files } : { seen: files };
    });
    expect(await service.database.rows('SELECT id FROM accounts WHERE email = $1', [EMAIL])).toEqual([]);
    const refused = await fetch(`${service.baseUrl}/api/usage`, { headers: { 'x-api-key': key } });
    expect(refused.status).toBe(401);
    expect(await other.bytesAt(kept.job.resultUrl!)).toHaveLength(kept.job.result!.bytes);
    const again = await other.enhance(await solidFile(20, 20, [40, 40, 200]), { operation: 'upscale' });
    expect(again.job.status).toBe('completed');
    expect(service.role('worker').pid).toBeGreaterThan(0);
  });

  it('leaves its objects to the dispatcher if nobody erases them after the commit', async () => {
    const visitor = await FlowVisitor.signUp(service.baseUrl, EMAIL, PASSWORD);
    await visitor.upload(await solidFile(30, 20, [1, 2, 3]));
    const before = (await service.files()).sources;
    // As an api that dies right after the commit.
    await erase(service.databaseUrl, EMAIL);
    await eventually('the dispatcher to delete the object', async () => {
      const { sources } = await service.files();
      return sources.length === before.length - 1 ? { found: sources } : { seen: sources };
    });
    // The row is deleted after its object, so a dispatcher killed in between only deletes the object again.
    const left = await eventually('its row to go', async () => {
      const rows = await service.database.rows('SELECT object_key FROM object_erasures');
      return rows.length === 0 ? { found: rows } : { seen: rows };
    });
    expect(left).toEqual([]);
  });
});

/** Deletes an account in the database. */
async function erase(databaseUrl: string, email: string): Promise<void> {
  const options = { databaseUrl, poolSize: 1, applicationName: 'spec' };
  const dataSource = await createDataSource(options).initialize();
  try {
    const database = new Database(dataSource);
    const [account] = await database.query<{ id: string }>('SELECT id FROM accounts WHERE email = $1', [
      email,
    ]);
    await database.transaction((tx) => new AccountErasureRepository().erase(tx, account!.id));
  } finally {
    await dataSource.destroy();
  }
}

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import { FlowSupervisor } from '../../support/roles/flow-supervisor.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { S3Server } from '../../support/storage/s3-server.js';

const BUCKET = 'not-yet-created';

describe('npm start with an object store that refuses requests', () => {
  let dataDir: string;
  let server: S3Server;
  let supervisor: FlowSupervisor;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-store-'));
    server = await S3Server.start();
    const env = { ...server.environment(), OBJECT_STORE_URL: `s3://${BUCKET}/service` };
    supervisor = await FlowSupervisor.start(dataDir, env);
  });
  afterAll(async () => {
    await supervisor?.close();
    await server?.close();
    await removeDataDir(dataDir);
  });

  const logged = (text: string) =>
    eventually(text, () =>
      supervisor.errors.includes(text) ? { found: true } : { seen: supervisor.errors.slice(-2_000) },
    );

  it('says what is wrong and what to do, and is ready only when the store is', async () => {
    await logged(`the bucket ${BUCKET} does not exist`);
    expect(supervisor.errors).toContain('Check OBJECT_STORE_URL, S3_ENDPOINT, AWS_REGION, the credentials');
    for (const role of ['dispatcher', 'worker'] as const)
      await eventually(`the ${role}`, () => {
        const found = supervisor.role(role);
        return found !== undefined && supervisor.isReady(found) ? { found } : {};
      });
    expect(supervisor.output).toBe('');
    const s3 = server.client();
    await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
    s3.destroy();
    expect(await supervisor.ready()).toMatch(/^Ready: .* — demo key ies_/);
    expect(supervisor.errors).toContain('"msg":"the object store can be used"');
  });
});

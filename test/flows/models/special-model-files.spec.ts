import { chmod, cp, mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceFile, SPECIAL_FILES } from '../../../src/models/testing/special-files.js';
import { databaseUrlFor } from '../../../src/infra/database/embedded/database-url.js';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import type { ModelHealthDto } from '../../../src/models/serving/model-health.dto.js';
import { createFlowAccount } from '../../support/roles/flow-account.js';
import { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowModels } from '../../support/models/flow-models.js';
import { FlowSupervisor } from '../../support/roles/flow-supervisor.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** A start that opens the FIFO would never finish: nobody writes to it. */
describe('a model folder with a special file in place of its weights', () => {
  let dataDir: string;
  let models: FlowModels;
  let supervisor: FlowSupervisor;
  let client: FlowClient;

  beforeAll(async () => {
    models = await FlowModels.create('auto_enhance');
    await drop(2, 'a FIFO');
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-special-'));
    // The tests run as root; PostgreSQL's own user needs access.
    await chmod(dataDir, 0o755);
    supervisor = await FlowSupervisor.start(dataDir, {
      MODELS_DIR: models.dir,
      MODELS_POLL_MS: '500',
      INFERENCE_DEVICE: 'cpu',
    });
    const [, baseUrl] = /^Ready: (\S+) /.exec(await supervisor.ready())!;
    const { key } = await createFlowAccount((await databaseUrlFor({ dataDir, databaseUrl: undefined }))!);
    client = new FlowClient(baseUrl!, key);
  });
  afterAll(async () => {
    await supervisor?.close();
    await removeDataDir(dataDir);
    await models?.close();
  });

  /** A copy of version 1 with a special file in place of its weights; the folder appears atomically. */
  async function drop(version: number, what: string): Promise<void> {
    const draft = join(models.dir, `.draft-${version}`);
    await cp(join(models.dir, 'auto_enhance/1'), draft, { recursive: true });
    await replaceFile(join(draft, 'tone.onnx'), SPECIAL_FILES[what]!.put);
    await rename(draft, join(models.dir, 'auto_enhance', String(version)));
  }

  const refused = (version: number, what: string): Promise<true> =>
    eventually(`version ${version} to be refused for ${what}`, async () => {
      const seen = (await client.request('GET', '/health/models')).json as unknown as ModelHealthDto;
      const says = `auto_enhance/${version} is not served: the file tone.onnx of stage tone ${SPECIAL_FILES[what]!.says}`;
      return seen.refusals.some(({ message }) => message.startsWith(says)) ? { found: true } : { seen };
    });

  const completedVersion = async (): Promise<number> => {
    const { url } = await client.upload(await solidFile(20, 20, [20, 90, 160]));
    const { id } = await client.create(url, { operation: 'auto_enhance', level: 'low' });
    return (await client.completed(id)).model!.version;
  };

  it('starts with the version below and reports why', async () => {
    await refused(2, 'a FIFO');
    expect(await completedVersion()).toBe(1);
  });

  it('refuses a version that appears while it serves, and keeps serving', async () => {
    const { pid } = supervisor.role('worker')!;
    await drop(3, 'a link to /dev/zero');
    await refused(3, 'a link to /dev/zero');
    expect(await completedVersion()).toBe(1);
    expect(supervisor.role('worker')!.pid).toBe(pid);
  });
});

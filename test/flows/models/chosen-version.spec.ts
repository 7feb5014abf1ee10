import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import type { ConsoleOperationDto } from '../../../src/operator/models/console-models.dto.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { FlowModelService } from '../../support/models/flow-model-service.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import { eventually, LASTING } from '../../support/roles/flow-wait.js';

const TONE = 'auto_enhance';

/** One service for all tests; each test continues with the models that the previous one left. */
describe('the version that an operator chooses', () => {
  let service: FlowModelService;
  let database: FlowDatabase;
  let sourceUrl: string;

  beforeAll(async () => {
    service = await FlowModelService.start();
    database = new FlowDatabase(service.databaseUrl);
    sourceUrl = (await service.client.upload(await solidFile(300, 300, [90, 120, 60]))).url;
    await service.models.drop(TONE, 2);
    await served(2);
  });
  afterAll(async () => {
    await database?.close();
    await service?.close();
  });

  const admin = async (...words: readonly string[]): Promise<unknown> =>
    adminAnswer(service.databaseUrl, 'model', ...words);
  const state = async (): Promise<ConsoleOperationDto> =>
    ((await admin('list')) as ConsoleOperationDto[]).find(({ operation }) => operation === TONE)!;

  /** Waits until the service promises new jobs this version and only one worker is left. */
  const served = (version: number): Promise<unknown> =>
    eventually(
      `version ${version} to serve`,
      async () => {
        const { operations, workers } = await service.health();
        const offered = operations.find(({ operation }) => operation === TONE)?.model.version;
        const isAlone =
          service.workers().length === 1 && workers.some((worker) => worker.state === 'serving');
        return offered === version && isAlone
          ? { found: true }
          : { seen: [offered, workers, service.supervisor.errors.slice(-1_500)] };
      },
      LASTING,
    );

  const create = (count: number): Promise<JobDto[]> =>
    Promise.all(
      Array.from({ length: count }, () =>
        service.client.create(sourceUrl, { operation: TONE, cache: false }),
      ),
    );
  const completed = async (jobs: readonly JobDto[]): Promise<JobDto[]> => {
    const done: JobDto[] = [];
    for (const { id } of jobs) done.push(await service.client.completed(id));
    return done;
  };

  it('serves after a rollback without failing running jobs; pinned jobs keep their version', async () => {
    const jobs = await create(12);
    const { json: pinned } = await service.client.request('POST', '/api/ai/enhance', {
      sourceUrl,
      operation: TONE,
      model: `${TONE}@2`,
      cache: false,
    });
    const answers = (await Promise.all([admin('serve', TONE, '1'), admin('serve', TONE, '1')])) as object[];
    expect(answers).toMatchObject([{ chosen: 1 }, { chosen: 1 }]);
    await served(1);
    const later = await create(3);
    for (const { attempts } of await completed(jobs)) expect(attempts).toBe(1);
    for (const { model } of await completed(later)) expect(model!.version).toBe(1);
    expect((await service.client.completed(pinned['id'] as string)).model!.version).toBe(2);
    expect(await state()).toMatchObject({ offered: 1, chosen: 1, choiceState: 'served', rollBackTo: null });
    expect((await service.health()).refusals).toEqual([]);
  });

  it('is kept when a higher version appears, and after kill -9 of the worker', async () => {
    await service.models.drop(TONE, 3);
    await eventually('version 3 to be found', async () => {
      const { versions } = await state();
      const found = versions.find(({ version }) => version === '3');
      return found?.canServe === true ? { found: true } : { seen: versions };
    });
    process.kill(service.supervisor.role('worker')!.pid, 'SIGKILL');
    const jobs = await create(4);
    for (const { model } of await completed(jobs)) expect(model!.version).toBe(1);
    await served(1);
  });

  it('is applied by the next heartbeat when the notification is lost', async () => {
    await database.rows(`UPDATE model_choices SET serving = 2, previous = 1 WHERE operation = $1`, [TONE]);
    await served(2);
    const [job] = await completed(await create(1));
    expect(job!.model!.version).toBe(2);
  });

  it('leaves the version that served before while one after the other fails its trial', async () => {
    const worker = service.supervisor.role('worker')!.pid;
    for (const version of [4, 5]) {
      await service.models.dropBroken(TONE, version);
      await eventually(`version ${version} to be found`, async () => {
        const { versions } = await state();
        return versions[0]!.version === `${version}` ? { found: true } : { seen: versions };
      });
      await admin('serve', TONE, `${version}`);
      await eventually(`version ${version} to be refused`, async () => {
        const seen = await state();
        return seen.choiceState === 'refused' ? { found: true } : { seen };
      });
      expect(await state()).toMatchObject({ offered: 2, chosen: version, rollBackTo: 2 });
      expect(service.supervisor.errors).toContain(
        `An operator chose ${TONE}/${version}, but it is refused. ${TONE}/2 serves instead.`,
      );
    }
    const [job] = await completed(await create(1));
    expect(job!.model!.version).toBe(2);
    expect(service.supervisor.role('worker')!.pid).toBe(worker);
    await admin('roll-back', TONE);
    expect(await state()).toMatchObject({ offered: 2, chosen: 2, choiceState: 'served' });
    for (const version of [4, 5]) await service.models.remove(TONE, version);
  });

  it('yields to the version that served before while its folder is missing, with a warning', async () => {
    await database.rows(`UPDATE model_choices SET previous = 1 WHERE operation = $1`, [TONE]);
    const folder = join(service.models.dir, TONE, '2');
    await rename(folder, `${service.models.dir}/.away`);
    await served(1);
    // The killed worker still counts as alive for 45 seconds.
    await eventually('the version to be missing', async () => {
      const seen = await state();
      return seen.choiceState === 'missing' ? { found: true } : { seen };
    });
    expect(await state()).toMatchObject({ offered: 1, chosen: 2 });
    expect(service.supervisor.errors).toContain(
      `An operator chose ${TONE}/2, but it is not in the model repository. ${TONE}/1 serves instead.`,
    );
    await expect(admin('serve', TONE, '7')).rejects.toThrow(/No running worker has auto_enhance\/7/);
    await rename(`${service.models.dir}/.away`, folder);
    await served(2);
    await admin('roll-back', TONE);
    await served(1);
    await admin('serve', TONE, 'highest');
    await served(3);
  });
});

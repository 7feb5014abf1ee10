import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { Notifications } from '../../../src/infra/database/notifications.js';
import { loadCatalog } from '../../../src/models/repository/load-catalog.js';
import { readVersion } from '../../../src/models/repository/read-version.js';
import { ModelPresence } from '../../../src/models/serving/model-presence.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { VersionChoicesRepository } from '../../../src/models/serving/version-choices.repository.js';
import { ModelSwap } from '../../../src/models/swap/model-swap.js';
import { ModelVerdicts } from '../../../src/models/swap/model-verdicts.js';
import { MemoryVerdicts } from '../../../src/models/testing/memory-verdicts.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { FlowModels } from '../../support/models/flow-models.js';

let harness: Harness;
let models: FlowModels;
beforeAll(async () => {
  harness = await startHarness();
  models = await FlowModels.create('auto_enhance');
});
afterAll(async () => {
  await models?.close();
  await harness?.close();
});

it('looks for new versions again after a check and trials that failed', async () => {
  const database = harness.app.get(Database);
  const loaded = await loadCatalog(models.dir);
  await models.drop('auto_enhance', 2);
  const warnings: string[] = [];
  let trials = 0;
  const wanted = new Promise<number | undefined>((resolve) => {
    const swap = new ModelSwap(
      {
        modelsDir: models.dir,
        // Nothing but the retries repeats a check.
        pollMs: 3_600_000,
        retryPauseMs: 50,
        loaded,
        choices: [],
        readChoices: () => new VersionChoicesRepository(database).all(),
        onChoices: () => undefined,
        verdicts: new ModelVerdicts(new MemoryVerdicts(), { device: 'cpu', memoryLimitBytes: 8e9 }),
        runTrial: async () => {
          trials += 1;
          if (trials === 1) throw new Error('spawn EAGAIN');
          return trials === 2 ? { reason: 'raise max_batch_size', isTransient: true, remote: 'unfit' } : null;
        },
        onSwap: (catalog) => {
          swap.end();
          resolve(catalog.servingVersion('auto_enhance')?.version);
        },
        logger: {
          log: () => undefined,
          warn: (_: unknown, text: string) => warnings.push(text),
        } as unknown as LoggerService,
      },
      new ModelPresence(new ModelWorkersRepository(database)),
    );
    void (async () => {
      await database.query('ALTER TABLE model_choices RENAME TO model_choices_away');
      await swap.begin(harness.app.get(Notifications));
      await expect.poll(() => warnings).toContain('could not scan the model repository');
      await database.query('ALTER TABLE model_choices_away RENAME TO model_choices');
    })();
  });
  expect(await wanted).toBe(2);
  expect(trials).toBe(3);
  expect(warnings).toContain('could not try a model version');
});

it.each([
  ['a chosen one', 3],
  ['the highest one', null],
])('keeps the serving version while %s is on trial, not one that was tried before', async (_, serving) => {
  const database = harness.app.get(Database);
  const own = await FlowModels.create('auto_enhance');
  const loaded = await loadCatalog(own.dir);
  for (const version of [2, 3]) await own.drop('auto_enhance', version);
  const verdicts = new ModelVerdicts(new MemoryVerdicts(), { device: 'cpu', memoryLimitBytes: 8e9 });
  await verdicts.note(await readVersion(join(own.dir, 'auto_enhance/2')), null);
  const choice = { operation: 'auto_enhance', serving, previous: 1, canary: null, shadow: null };
  let endTrial: () => void;
  const trial = new Promise<null>((resolve) => {
    endTrial = () => resolve(null);
  });
  const tried: number[] = [];
  const wanted: (number | undefined)[] = [];
  const swap = new ModelSwap(
    {
      modelsDir: own.dir,
      pollMs: 3_600_000,
      loaded,
      choices: [],
      readChoices: async () => [choice],
      onChoices: () => undefined,
      verdicts,
      runTrial: ({ version }) => {
        tried.push(version);
        return trial;
      },
      onSwap: (catalog) => wanted.push(catalog.servingVersion('auto_enhance')?.version),
      logger: { log: () => undefined, warn: () => undefined } as unknown as LoggerService,
    },
    new ModelPresence(new ModelWorkersRepository(database)),
  );
  try {
    await swap.begin(harness.app.get(Notifications));
    await expect.poll(() => tried).toEqual([3]);
    endTrial!();
    await expect.poll(() => wanted).toHaveLength(1);
    expect([tried, wanted]).toEqual([[3], [3]]);
  } finally {
    swap.end();
    await own.close();
  }
});

it('no longer wants a worker while models of a required operation are missing', async () => {
  const own = await FlowModels.create('auto_enhance');
  const loaded = await loadCatalog(own.dir);
  await own.drop('auto_enhance', 2);
  const verdicts = new ModelVerdicts(new MemoryVerdicts(), { device: 'cpu', memoryLimitBytes: 8e9 });
  const warnings: string[] = [];
  const asked: (() => boolean)[] = [];
  const swap = new ModelSwap(
    {
      modelsDir: own.dir,
      pollMs: 50,
      loaded,
      choices: [],
      readChoices: async () => [],
      onChoices: () => undefined,
      verdicts,
      runTrial: async () => null,
      onSwap: (_, isWanted) => asked.push(isWanted),
      logger: {
        log: () => undefined,
        warn: (...texts: unknown[]) => warnings.push(texts.map(String).join(' ')),
      } as unknown as LoggerService,
    },
    new ModelPresence(new ModelWorkersRepository(harness.app.get(Database))),
  );
  const folder = join(own.dir, 'auto_enhance');
  try {
    await swap.begin(harness.app.get(Notifications));
    await expect.poll(() => asked.map((isWanted) => isWanted())).toEqual([true]);
    await rename(folder, `${own.dir}.away`);
    await expect.poll(() => asked.map((isWanted) => isWanted())).toEqual([false]);
    expect(warnings.join()).toContain('models of required operations are missing');
    await rename(`${own.dir}.away`, folder);
    await expect.poll(() => asked.at(-1)!()).toBe(true);
  } finally {
    swap.end();
    await rm(`${own.dir}.away`, { recursive: true, force: true });
    await own.close();
  }
});

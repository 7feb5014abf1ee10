import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { WorkerControlRepository } from '../../../src/models/serving/worker-control.repository.js';
import { WorkerConsole } from '../../../src/operator/workers/worker-console.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

/** How pino writes a text with U+0000. */
const ESCAPED_NUL = String.raw`{"msg":"a\u0000x"}`;

describe('requests to a worker', () => {
  let harness: Harness;
  let database: Database;
  let control: WorkerControlRepository;
  let workers: ModelWorkersRepository;
  let count = 0;
  let id: string;

  /** A separate database, because one of its tables is renamed. */
  beforeAll(async () => {
    harness = await startHarness();
    database = harness.app.get(Database);
    control = new WorkerControlRepository(database);
    workers = new ModelWorkersRepository(database);
  });
  afterAll(() => harness?.close());
  beforeEach(async () => {
    id = `wrk_${++count}`;
    const nothing = { operations: [], versions: [], refusals: [], kinds: ['none'] };
    await workers.announce({ id, host: 'box', pid: 1, device: 'cpu', ...nothing });
  });

  it('are recorded in the audit log or not made at all', async () => {
    const operators = new WorkerConsole(workers, control, database);
    await database.query('ALTER TABLE audit_events RENAME TO audit_events_away');
    try {
      await expect(operators.want(id, 'drain')).rejects.toThrow('audit_events');
    } finally {
      await database.query('ALTER TABLE audit_events_away RENAME TO audit_events');
    }
    expect(await control.wantedOf(id)).toBe('serve');
    expect(await operators.want(id, 'drain')).toMatchObject({ wanted: 'drain' });
    await operators.want(id, 'drain');
    expect(await harness.rows('SELECT action FROM audit_events WHERE target_id = $1', [id])).toEqual([
      { action: 'worker.drained' },
    ]);
  });

  it.each([
    ['text that stands for U+0000', ESCAPED_NUL, ESCAPED_NUL],
    ['U+0000', 'a\0b', 'ab'],
    ['half of an emoji, where the line was cut', 'done \ud83d', 'done '],
    ['an emoji', 'done \u{1f600}', 'done \u{1f600}'],
  ])('return a log with %s', async (_, line, stored) => {
    await control.sendLog(id, [line, 'next']);
    expect((await control.readLog(id))?.lines).toEqual([stored, 'next']);
  });
});

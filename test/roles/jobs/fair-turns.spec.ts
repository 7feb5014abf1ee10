import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/models/repository/catalog.js';
import { Database } from '../../../src/infra/database/database.js';
import { FairQueueRepository } from '../../../src/jobs/queue/fair-queue.repository.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { photo } from '../../support/images/images.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

describe('the order of jobs', () => {
  let harness: Harness;
  let queue: FairQueueRepository;

  beforeAll(async () => {
    harness = await startHarness();
    queue = harness.app.get(FairQueueRepository);
  });
  afterAll(() => harness?.close());

  /** Creates jobs concurrently, as a client in a hurry would. */
  async function create(
    account: TestAccount,
    count: number,
    sourceUrl?: string,
    operation = 'upscale',
  ): Promise<string[]> {
    const url = sourceUrl ?? (await harness.newSource(account)).url;
    const jobs = await Promise.all(
      Array.from({ length: count }, () => harness.newJob(account, { sourceUrl: url, operation })),
    );
    return jobs.map(({ id }) => id);
  }

  /** Creates a batch with one item. */
  async function createBatch(
    account: TestAccount,
    operation = 'upscale',
  ): Promise<{ itemId: string; batchId: string }> {
    const { id: batchId } = await harness.newBatch(account, { operation });
    const [item] = await harness.rows<{ id: string }>('SELECT id FROM jobs WHERE batch_id = $1', [batchId]);
    return { itemId: item!.id, batchId };
  }

  /** Creates a single job, or a batch with one item. */
  async function createOne(
    account: TestAccount,
    inBatch: boolean,
    operation?: string,
  ): Promise<{ itemId: string; itemPath: string; path: string }> {
    const created = inBatch ? await createBatch(account, operation) : undefined;
    const itemId = created?.itemId ?? (await create(account, 1, undefined, operation))[0]!;
    const itemPath = `enhance/${itemId}`;
    return { itemId, itemPath, path: created === undefined ? itemPath : `batches/${created.batchId}` };
  }

  async function cancel({ key }: TestAccount, path: string): Promise<void> {
    const { status, text } = await harness.call('POST', `/api/ai/${path}/cancel`, { key });
    expect(status, text).toBe(200);
  }

  /** The kinds that a worker with only these operations can run. */
  const kindsOf = (...operations: readonly string[]): readonly string[] =>
    harness.app
      .get(Catalog)
      .kinds()
      .filter((kind) => operations.includes(kind.split('/')[0]!));

  async function waiting(kinds = harness.app.get(Catalog).kinds()): Promise<string[]> {
    return (await queue.waiting(kinds, 1_000)).map(({ id }) => id);
  }

  const clock = async (): Promise<number> =>
    Number((await harness.rows<{ turn: string }>('SELECT turn FROM job_clock'))[0]!.turn);

  async function workOff(): Promise<void> {
    for (const id of await waiting()) await harness.jobs.complete(id);
  }
  afterEach(workOff);

  it('puts the single job of one account ahead of the backlog of another', async () => {
    const [many, one] = [await harness.createAccount(), await harness.createAccount()];
    const backlog = await create(many, 60);
    const before = await waiting();
    for (const id of before.slice(0, 5)) await harness.jobs.complete(id);
    const [single] = await create(one, 1);
    const order = await waiting();
    expect(order).toHaveLength(56);
    expect(order.indexOf(single!)).toBeLessThanOrEqual(1);
    expect(order.filter((id) => id !== single).toSorted()).toEqual(
      backlog.filter((id) => !before.slice(0, 5).includes(id)).toSorted(),
    );
  });

  it('alternates between accounts with long queues', async () => {
    const accounts = [await harness.createAccount(), await harness.createAccount()];
    const [a, b] = [await create(accounts[0]!, 20), await create(accounts[1]!, 20)];
    const order = await waiting();
    for (let end = 2; end <= 40; end += 2) {
      const share = order.slice(0, end).filter((id) => a.includes(id)).length;
      expect(Math.abs(share - end / 2), `of the first ${end}`).toBeLessThanOrEqual(1);
    }
    expect(b.every((id) => order.includes(id))).toBe(true);
  });

  it('gives an idle account no head start', async () => {
    const [busy, rested] = [await harness.createAccount(), await harness.createAccount()];
    await create(busy, 10);
    await workOff();
    const [a, b] = [await create(busy, 6), await create(rested, 6)];
    const order = await waiting();
    expect(order.slice(0, 4).filter((id) => a.includes(id))).toHaveLength(2);
    expect(order.slice(0, 4).filter((id) => b.includes(id))).toHaveLength(2);
  });

  it('weighs jobs by their pixels: one large job costs as much as many small ones', async () => {
    const [large, small] = [await harness.createAccount(), await harness.createAccount()];
    // Seven times as many pixels as the minimum price covers.
    const { url } = await harness.newSource(large, await photo(1400, 1250, 'jpeg'));
    const l = await create(large, 2, url);
    await create(small, 9);
    const order = await waiting();
    const places = l.map((id) => order.indexOf(id)).toSorted((a, b) => a - b);
    expect(places[0]).toBeLessThanOrEqual(1);
    expect(places[1]).toBeGreaterThanOrEqual(8);
  });

  it('does not penalize an account for its canceled jobs', async () => {
    const [fickle, steady] = [await harness.createAccount(), await harness.createAccount()];
    const regretted = await create(fickle, 30);
    await create(steady, 10);
    for (const id of regretted) await cancel(fickle, `enhance/${id}`);
    const [again] = await create(fickle, 1);
    expect((await waiting()).indexOf(again!)).toBeLessThanOrEqual(1);
  });

  it('does not penalize an account for its canceled batches and for single jobs that it canceled before', async () => {
    const [fickle, steady] = [await harness.createAccount(), await harness.createAccount()];
    const { url } = await harness.newSource(fickle);
    for (const id of await create(fickle, 5, url)) await cancel(fickle, `enhance/${id}`);
    const regretted = await harness.newBatch(fickle, { sourceUrls: Array.from({ length: 30 }, () => url) });
    await create(steady, 10);
    await cancel(fickle, `batches/${regretted.id}`);
    const again = await createBatch(fickle);
    expect((await waiting()).indexOf(again.itemId)).toBeLessThanOrEqual(1);
  });

  it.each([
    ['a job', false, false, false],
    ['a job while another one waits for other workers', true, false, false],
    ['the only item of a batch', false, true, false],
    ['a batch', false, true, true],
    ['a batch while another one waits for other workers', true, true, true],
  ])('keeps the cost of earlier jobs when an account cancels %s', async (_, isHeld, inBatches, asBatch) => {
    const [sly, patient] = [await harness.createAccount(), await harness.createAccount()];
    const kinds = kindsOf('upscale');
    if (isHeld) await createOne(sly, inBatches, 'auto_enhance');
    await create(patient, 20);
    let { itemId: mine } = await createOne(sly, inBatches);
    let turns = 0;
    for (let round = 0; round < 12; round += 1) {
      const [next] = await waiting(kinds);
      await harness.jobs.complete(next!);
      if (next !== mine) continue;
      turns += 1;
      const { itemPath, path } = await createOne(sly, inBatches);
      await cancel(sly, asBatch ? path : itemPath);
      ({ itemId: mine } = await createOne(sly, inBatches));
    }
    expect(turns).toBeGreaterThanOrEqual(5);
    expect(turns).toBeLessThanOrEqual(7);
  });

  it.each([
    ['single jobs', false],
    ['batches', true],
  ])('gives no turn for canceled %s that the queue has passed', async (_, inBatches) => {
    const [sly, patient] = [await harness.createAccount(), await harness.createAccount()];
    const kinds = kindsOf('upscale');
    // No worker serves their operation.
    const parked: string[] = [];
    for (let count = 0; count < 8; count += 1)
      parked.push((await createOne(sly, inBatches, 'auto_enhance')).path);
    await create(patient, 30);
    for (let round = 0; round < 12; round += 1) await harness.jobs.complete((await waiting(kinds))[0]!);
    let { itemId: mine } = await createOne(sly, inBatches);
    let turns = 0;
    for (let round = 0; round < 12; round += 1) {
      const [next] = await waiting(kinds);
      await harness.jobs.complete(next!);
      if (next !== mine) continue;
      turns += 1;
      const path = parked.pop();
      if (path !== undefined) await cancel(sly, path);
      ({ itemId: mine } = await createOne(sly, inBatches));
    }
    expect(turns).toBeGreaterThanOrEqual(5);
    expect(turns).toBeLessThanOrEqual(7);
  });

  it('keeps the cost of a canceled job that a worker had started', async () => {
    const [fickle, steady] = [await harness.createAccount(), await harness.createAccount()];
    const [started] = await create(fickle, 1);
    await create(steady, 10);
    await harness.jobs.release(await harness.jobs.claim(started!));
    await cancel(fickle, `enhance/${started}`);
    const [again] = await create(fickle, 1);
    expect((await waiting()).indexOf(again!)).toBe(2);
  });

  it('puts a released job first', async () => {
    const account = await harness.createAccount();
    const [first] = await create(account, 1);
    await create(account, 5);
    const lease = await harness.jobs.claim(first!);
    await harness.jobs.release(lease);
    expect((await waiting())[0]).toBe(first);
  });

  describe('when workers for another operation are far ahead', () => {
    let many: TestAccount;
    let backlog: string[];
    let other: TestAccount;

    /** Workers for another operation advance past everything that waits. */
    async function runAhead(): Promise<void> {
      const before = await clock();
      for (const id of await create(other, 30, undefined, 'auto_enhance')) await harness.jobs.complete(id);
      expect(await clock()).toBeGreaterThan(before + 20 * 250_000);
    }

    beforeEach(async () => {
      [many, other] = [await harness.createAccount(), await harness.createAccount()];
      backlog = await create(many, 20);
      await runAhead();
    });
    afterEach(() => harness.rows('DELETE FROM model_workers'));

    it.each([
      ['of somebody new', 1, () => harness.createAccount()],
      // One price behind the waiting jobs, as anywhere else.
      ['of somebody who has just had turns there', 2, async () => other],
    ])('still puts one job %s ahead of the backlog of another', async (_, place, who) => {
      const [single] = await create(await who(), 1);
      const order = await waiting(kindsOf('upscale'));
      expect(order).toHaveLength(21);
      expect(order.indexOf(single!)).toBeLessThanOrEqual(place);
    });

    it('also puts the first job of another kind ahead, if one worker serves both kinds', async () => {
      const kinds = kindsOf('upscale', 'smooth_skin');
      const row = { host: 'here', pid: 1, device: 'cpu', operations: [], versions: [], refusals: [] };
      const workers = new ModelWorkersRepository(harness.app.get(Database));
      // This does not change what is offered to new jobs.
      await workers.announce({
        ...row,
        id: 'wrk_both',
        operations: harness.app.get(Catalog).operations(),
        kinds,
      });
      const [single] = await create(await harness.createAccount(), 1, undefined, 'smooth_skin');
      expect((await waiting(kinds)).indexOf(single!)).toBeLessThanOrEqual(1);
    });

    it("puts more jobs of the backlog's account behind its own, each with its own turn", async () => {
      const more = await create(many, 10);
      const order = await waiting(kindsOf('upscale'));
      expect(order.slice(20).toSorted()).toEqual(more.toSorted());
      const turns = await harness.rows(`SELECT DISTINCT turn FROM jobs WHERE status = 'queued'`);
      expect(turns).toHaveLength(30);
      const [single] = await create(await harness.createAccount(), 1);
      expect((await waiting(kindsOf('upscale'))).indexOf(single!)).toBeLessThanOrEqual(1);
      expect(order.slice(0, 20).toSorted()).toEqual(backlog.toSorted());
    });

    it('alternates between two accounts with queues', async () => {
      const b = await create(await harness.createAccount(), 20);
      const order = await waiting(kindsOf('upscale'));
      for (let end = 4; end <= 40; end += 4) {
        const share = order.slice(0, end).filter((id) => b.includes(id)).length;
        expect(Math.abs(share - end / 2), `of the first ${end}`).toBeLessThanOrEqual(2);
      }
    });
  });
});

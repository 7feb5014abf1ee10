import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/models/repository/catalog.js';
import { Database } from '../../../src/infra/database/database.js';
import { FairQueueRepository } from '../../../src/jobs/queue/fair-queue.repository.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { photo } from '../../support/images/images.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

describe('the order in which jobs have their turn', () => {
  let harness: Harness;
  let queue: FairQueueRepository;

  beforeAll(async () => {
    harness = await startHarness();
    queue = harness.app.get(FairQueueRepository);
  });
  afterAll(() => harness?.close());

  /** Creates jobs side by side, as a client in a hurry does. */
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

  /** What a worker can run that serves these operations only. */
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

  it('puts one job of an account before the many of another, whoever came first', async () => {
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
    await workOff();
  });

  it('lets accounts with long queues take turns', async () => {
    const accounts = [await harness.createAccount(), await harness.createAccount()];
    const [a, b] = [await create(accounts[0]!, 20), await create(accounts[1]!, 20)];
    const order = await waiting();
    for (let end = 2; end <= 40; end += 2) {
      const share = order.slice(0, end).filter((id) => a.includes(id)).length;
      expect(Math.abs(share - end / 2), `of the first ${end}`).toBeLessThanOrEqual(1);
    }
    expect(b.every((id) => order.includes(id))).toBe(true);
    await workOff();
  });

  it('gives no head start for having been away', async () => {
    const [busy, rested] = [await harness.createAccount(), await harness.createAccount()];
    await create(busy, 10);
    await workOff();
    const [a, b] = [await create(busy, 6), await create(rested, 6)];
    const order = await waiting();
    expect(order.slice(0, 4).filter((id) => a.includes(id))).toHaveLength(2);
    expect(order.slice(0, 4).filter((id) => b.includes(id))).toHaveLength(2);
    await workOff();
  });

  it('weighs jobs by their pixels: one large job costs the turns of many small', async () => {
    const [large, small] = [await harness.createAccount(), await harness.createAccount()];
    // As many pixels as seven times the least price.
    const { url } = await harness.newSource(large, await photo(1400, 1250, 'jpeg'));
    const l = await create(large, 2, url);
    await create(small, 9);
    const order = await waiting();
    const places = l.map((id) => order.indexOf(id)).toSorted((a, b) => a - b);
    expect(places[0]).toBeLessThanOrEqual(1);
    expect(places[1]).toBeGreaterThanOrEqual(8);
    await workOff();
  });

  it('a thousand cancelled jobs are no reason to wait', async () => {
    const [fickle, steady] = [await harness.createAccount(), await harness.createAccount()];
    const regretted = await create(fickle, 30);
    await create(steady, 10);
    for (const id of regretted)
      await harness.call('POST', `/api/ai/enhance/${id}/cancel`, { key: fickle.key });
    const [again] = await create(fickle, 1);
    expect((await waiting()).indexOf(again!)).toBeLessThanOrEqual(1);
    await workOff();
  });

  it('a job that comes back has its turn at once', async () => {
    const account = await harness.createAccount();
    const [first] = await create(account, 1);
    await create(account, 5);
    const lease = await harness.jobs.claim(first!);
    await harness.jobs.release(lease);
    expect((await waiting())[0]).toBe(first);
    await workOff();
  });

  describe('while other workers, which serve something else, are far ahead', () => {
    let many: TestAccount;
    let backlog: string[];
    let other: TestAccount;

    /** Workers of another operation have come past everything that waits. */
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
    afterEach(async () => {
      await workOff();
      await harness.rows('DELETE FROM model_workers');
    });

    it.each([
      ['of somebody new', 1, () => harness.createAccount()],
      // One price behind whoever waits, as anywhere else.
      ['of somebody who has just had turns there', 2, async () => other],
    ])('one job %s is still before the many of another', async (_, place, who) => {
      const [single] = await create(await who(), 1);
      const order = await waiting(kindsOf('upscale'));
      expect(order).toHaveLength(21);
      expect(order.indexOf(single!)).toBeLessThanOrEqual(place);
    });

    it('so is one of a kind that nobody waits for, where one worker serves both', async () => {
      const kinds = kindsOf('upscale', 'smooth_skin');
      const row = { host: 'here', pid: 1, device: 'cpu', operations: [], versions: [], refusals: [] };
      const workers = new ModelWorkersRepository(harness.app.get(Database));
      // What is offered to new jobs is another matter, and stays as it is.
      await workers.announce({
        ...row,
        id: 'wrk_both',
        operations: harness.app.get(Catalog).operations(),
        kinds,
      });
      const [single] = await create(await harness.createAccount(), 1, undefined, 'smooth_skin');
      expect((await waiting(kinds)).indexOf(single!)).toBeLessThanOrEqual(1);
    });

    it('more jobs of the many do not come before its own, nor side by side', async () => {
      const more = await create(many, 10);
      const order = await waiting(kindsOf('upscale'));
      expect(order.slice(20).toSorted()).toEqual(more.toSorted());
      const turns = await harness.rows(`SELECT DISTINCT turn FROM jobs WHERE status = 'queued'`);
      expect(turns).toHaveLength(30);
      const [single] = await create(await harness.createAccount(), 1);
      expect((await waiting(kindsOf('upscale'))).indexOf(single!)).toBeLessThanOrEqual(1);
      expect(order.slice(0, 20).toSorted()).toEqual(backlog.toSorted());
    });

    it('two accounts with queues take turns there', async () => {
      const b = await create(await harness.createAccount(), 20);
      const order = await waiting(kindsOf('upscale'));
      for (let end = 4; end <= 40; end += 4) {
        const share = order.slice(0, end).filter((id) => b.includes(id)).length;
        expect(Math.abs(share - end / 2), `of the first ${end}`).toBeLessThanOrEqual(2);
      }
    });
  });
});

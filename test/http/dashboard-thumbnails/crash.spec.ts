import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { slowPng } from '../../../src/infra/image/testing/slow-png.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { SourcesRepository } from '../../../src/uploads/sources/sources.repository.js';
import { thumbnailKey } from '../../../src/uploads/thumbnails/thumbnail.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { descendantsOf, isAlive, type KnownProcess } from '../../support/roles/flow-processes.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

const SECRET = 'what nobody may see';
const UNDECODABLE = { status: 422, body: { code: 'undecodable_image' } };

let harness: Harness;
let account: TestAccount;
let browser: DashboardClient;
let store: ObjectStore;
let slow: Buffer;
beforeAll(async () => {
  for (const name of ['URL_SIGNING_KEY', 'SEALING_KEY', 'DATABASE_URL']) vi.stubEnv(name, SECRET);
  harness = await sharedHarness();
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
  store = harness.app.get(ObjectStore);
  slow = slowPng();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  vi.unstubAllEnvs();
  await harness.close();
});

const ask = (id: string, by = browser) => by.call('GET', `/ai/sources/${id}/thumbnail`);

/** The process that is decoding a photo. */
const decoder = (): Promise<KnownProcess> =>
  vi.waitUntil(() => descendantsOf(process.pid).find(({ command }) => command.startsWith('small picture')), {
    timeout: 20_000,
    interval: 5,
  });

/** Requests a thumbnail and disturbs the process that is creating it. */
async function disturbed(id: string, disturb: (pid: number) => void) {
  const asked = ask(id);
  const found = await decoder();
  disturb(found.pid);
  const answer = await asked;
  await expect.poll(() => isAlive(found)).toBe(false);
  return answer;
}

/** The keys that a request reads; they include that of the photo only if the photo is tried. */
async function keysReadFor(id: string): Promise<{ status: number; keys: string[] }> {
  const read = vi.spyOn(store, 'read');
  const { status } = await ask(id);
  return { status, keys: read.mock.calls.map(([key]) => key) };
}

describe.skipIf(process.platform !== 'linux')('a photo that crashes its decoder process', () => {
  it.each(['SIGSEGV', 'SIGKILL'] as const)(
    'affects nothing else and is not tried on every request (%s)',
    async (how) => {
      const { id } = await harness.newSource(account, slow);
      expect(await disturbed(id, (pid) => process.kill(pid, how))).toMatchObject(UNDECODABLE);
      expect(await keysReadFor(id)).toEqual({ status: 422, keys: [thumbnailKey(id)] });
      expect((await ask((await harness.newSource(account)).id)).status).toBe(200);
    },
  );

  it('is tried again on another day', async () => {
    const { id } = await harness.newSource(account, slow);
    expect(await disturbed(id, (pid) => process.kill(pid, 'SIGABRT'))).toMatchObject(UNDECODABLE);
    const marker = (await store.read(thumbnailKey(id))).toString();
    await store.put(thumbnailKey(id), Buffer.from(marker.replace(/"at":"\d+-/, '"at":"2020-')));
    expect((await ask(id)).status).toBe(200);
    expect(await keysReadFor(id)).toEqual({ status: 200, keys: [thumbnailKey(id)] });
  });

  it('leaves nothing behind when it is deleted, even during decoding', async () => {
    const kept = await harness.newSource(account, slow);
    await disturbed(kept.id, (pid) => process.kill(pid, 'SIGSEGV'));
    expect((await browser.call('DELETE', `/ai/sources/${kept.id}`)).status).toBe(204);
    await expect(store.read(thumbnailKey(kept.id))).rejects.toMatchObject({ code: 'gone' });

    const late = await harness.newSource(account, slow);
    const asked = ask(late.id);
    const { pid } = await decoder();
    process.kill(pid, 'SIGSTOP');
    expect((await browser.call('DELETE', `/ai/sources/${late.id}`)).status).toBe(204);
    process.kill(pid, 'SIGKILL');
    await asked;
    await expect(store.read(thumbnailKey(late.id))).rejects.toMatchObject({ code: 'gone' });
  });

  it('counts as undecodable when the decoder hangs', { timeout: 60_000 }, async () => {
    const { id } = await harness.newSource(account, slow);
    expect(await disturbed(id, (pid) => process.kill(pid, 'SIGSTOP'))).toMatchObject(UNDECODABLE);
    expect(await keysReadFor(id)).toEqual({ status: 422, keys: [thumbnailKey(id)] });
  });

  it('is tried again on the next request when the process could not start', async () => {
    const { id } = await harness.newSource(account);
    const started = vi.spyOn(process, 'execPath', 'get').mockReturnValue('/nowhere/node');
    expect((await ask(id)).status).toBe(503);
    started.mockRestore();
    expect((await ask(id)).status).toBe(200);
  });

  it('is decoded without secrets in the environment, and within limits', async () => {
    const { id } = await harness.newSource(account, slow);
    const asked = ask(id);
    const { pid } = await decoder();
    const told = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'latin1');
    const [environment, limits, priority] = ['environ', 'limits', 'oom_score_adj'].map(told);
    expect((await asked).status).toBe(200);
    const names = environment!.split('\0').map((line) => line.split('=', 1)[0]!);
    const known = /^(PATH|LD_LIBRARY_PATH|LD_PRELOAD|MALLOC_ARENA_MAX|PWD|OLDPWD|SHLVL|_|)$/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
    expect(names).toContain('MALLOC_ARENA_MAX');
    expect(environment).not.toContain(SECRET);
    expect(limits).toMatch(/^Max data size +8\d{8} /m);
    expect(limits).toMatch(/^Max core file size +0 /m);
    expect(priority!.trim()).toBe('1000');
  });
});

describe('thumbnails of many photos', () => {
  it('do not keep another account waiting for all of them', { timeout: 120_000 }, async () => {
    const other = await harness.createAccount();
    const theirs = new DashboardClient(harness);
    await theirs.signInto(other);
    const mine = await Promise.all([1, 2, 3, 4, 5].map(() => harness.newSource(account, slow)));
    const { id } = await harness.newSource(other);
    const done: string[] = [];
    const noted = async (name: string, answer: Promise<{ status: number }>) => {
      expect((await answer).status).toBe(200);
      done.push(name);
    };
    const read = vi.spyOn(store, 'read');
    const all = mine.map((source) => noted('mine', ask(source.id)));
    await vi.waitUntil(() => read.mock.calls.length > mine.length, { timeout: 20_000 });
    all.push(noted('theirs', ask(id, theirs)));
    await Promise.all(all);
    expect(done.indexOf('theirs')).toBeLessThan(mine.length - 1);
    const { objectKey } = (await harness.app.get(SourcesRepository).find(other.id, id))!;
    const order = read.mock.calls.map(([key]) => key).filter((key) => key.startsWith('sources/'));
    expect(order.indexOf(objectKey)).toBe(2);
  });
});

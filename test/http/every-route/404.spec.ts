import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdKind, newId } from '../../../src/kernel/ids.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { KEY_ROUTES, pathFor, readingPath } from '../../support/app/routes.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const WITH_ID = KEY_ROUTES.filter(({ path }) => path.includes('{id}'));

const KINDS: Readonly<Record<string, IdKind>> = {
  src: 'source',
  upl: 'directUpload',
  job: 'job',
  bat: 'batch',
  we: 'webhookEndpoint',
  dlv: 'delivery',
};

/** The content of a problem, without the ID and the request ID. */
function neutral(body: unknown, id: string): unknown {
  const { requestId: _requestId, ...rest } = body as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest).replaceAll(id, 'ID')) as unknown;
}

describe('404', () => {
  it.each(WITH_ID)("$method $path treats another account's ID as nonexistent", async (route) => {
    const stranger = await harness.createAccount();
    const theirs = await pathFor(route, harness, stranger);
    const [theirId, prefix] = /([a-z]+)_[0-9a-f]{32}/.exec(theirs)!;
    const unknownId = newId(KINDS[prefix!]!);
    const before = await harness.footprint();
    const { json } = route;
    const foreign = await harness.call(route.method, theirs, { key: account.key, json });
    const unknown = await harness.call(route.method, theirs.replace(theirId, unknownId), {
      key: account.key,
      json,
    });
    expect(foreign.status).toBe(404);
    expect(unknown.status).toBe(404);
    expect(neutral(foreign.body, theirId)).toEqual(neutral(unknown.body, unknownId));
    expect(neutral(foreign.body, theirId)).toMatchObject({ code: 'not_found' });
    expect(await harness.footprint()).toEqual(before);
    const reading = readingPath(theirs);
    if (reading === undefined) return;
    const owners = await harness.call('GET', reading, { key: stranger.key });
    expect(owners.status).toBe(200);
  });

  it.each(WITH_ID)('$method $path is not found for anything that is not an ID', async (route) => {
    const odd = [
      'x',
      'job_',
      'src_1',
      `acc_${'0'.repeat(32)}`,
      'a'.repeat(255),
      'a'.repeat(2_000),
      '%00',
      'job_%00',
      '%F0%9F%99%82',
      "';DROP TABLE jobs;--",
      '..%2f..%2fetc%2fpasswd',
      newId('job').toUpperCase(),
    ];
    for (const id of odd) {
      const path = route.path.replace('{id}', id);
      const answer = await harness.call(route.method, path, { key: account.key, json: route.json });
      expect({ id, status: answer.status }).toEqual({ id, status: 404 });
    }
  });
});

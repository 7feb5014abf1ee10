import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelPresence } from '../../../src/models/serving/model-presence.js';
import type {
  VersionComparisonDto,
  VersionComparisonsDto,
} from '../../../src/operator/comparisons/version-comparison.dto.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { announceWorker } from '../../support/models/announced-models.js';

const PATH = '/models/upscale/comparisons';

let harness: Harness;
let operator: OperatorClient;
let worker: ModelPresence;

/** Needs its own database: the worker serves all accounts. */
beforeAll(async () => {
  harness = await startHarness();
  worker = await announceWorker(harness, 2, [1, 2, 3]);
});
afterAll(async () => {
  await worker.onApplicationShutdown();
  await harness.close();
});
beforeEach(async () => {
  operator = await OperatorClient.start(harness);
});

const compare = (sourceUrl: string) =>
  operator.call('POST', PATH, { json: { a: 2, b: 3, level: 'low', sourceUrl } });
const compared = async (sourceUrl: string): Promise<string> => {
  const { status, body, text } = await compare(sourceUrl);
  expect(status, text).toBe(201);
  return (body as VersionComparisonDto).id;
};
const listed = async () => (await operator.get<VersionComparisonsDto>(PATH)).data.map(({ id }) => id);

describe('a comparison of versions', () => {
  it('belongs to the operator, who cannot choose a photo of a customer while signed in as one', async () => {
    const id = await compared((await harness.newSource(operator.account)).url);
    const customer = await harness.createAccount();
    const { url } = await harness.newSource(customer);
    const json = { reason: 'Ticket 4711: cutouts look wrong' };
    await operator.expect(200, 'POST', `/accounts/${customer.id}/sign-in-as`, json);
    await operator.browser.call('GET', '/session');
    expect(await compare(url)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await listed()).toEqual([id]);
  });

  it('also takes a photo of the current organization, if the role may enhance it', async () => {
    const organization = await harness.createAccount();
    const { url } = await harness.newSource(organization);
    const join = (role: string) =>
      harness.rows(
        `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)
         ON CONFLICT (account_id, user_id) DO UPDATE SET role = $3`,
        [organization.id, operator.id, role],
      );
    await join('viewer');
    const switched = await operator.browser.call('POST', `/organizations/${organization.id}/switch`);
    expect(switched.status, switched.text).toBe(200);
    expect((await compare(url)).status).toBe(404);
    await join('developer');
    const id = await compared(url);
    expect(await listed()).toEqual([id]);
  });
});

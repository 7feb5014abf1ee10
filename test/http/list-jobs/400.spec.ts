import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const list = (query: string) => harness.call('GET', `/api/ai/enhance?${query}`, { key: account.key });

describe('GET /api/ai/enhance → 400', () => {
  it.each([
    '0',
    '101',
    '-1',
    '1.5',
    'abc',
    '',
    '1e9',
    'NaN',
    'Infinity',
    '5&limit=6',
    '%00',
    '0x10',
    '1e1',
    '%205',
    '5.0',
    '٥',
  ])('limit=%s', async (limit) => {
    const { status, body } = await list(`limit=${limit}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'limit' }] });
  });

  it.each([
    ['empty', ''],
    ['a word', 'abc'],
    ['not Base64', '!!!'],
    ['a plain ID', newId('job')],
    ['the ID of something else', Buffer.from(newId('source')).toString('base64url')],
    ['half an ID', Buffer.from(newId('job').slice(0, 20)).toString('base64url')],
    ['U+0000', Buffer.from(`job_${'0'.repeat(31)}\0`).toString('base64url')],
    ['SQL', Buffer.from("job_' OR 1=1 --").toString('base64url')],
  ])('for a cursor that is %s', async (_, cursor) => {
    const { status, body } = await list(`cursor=${encodeURIComponent(cursor)}`);
    expect(status).toBe(400);
    expect(['invalid_cursor', 'invalid_request']).toContain((body as { code: string }).code);
  });

  it.each([
    ['status', 'done'],
    ['status', 'Queued'],
    ['status', ''],
    ['status', 'queued&status=failed'],
    ['operation', 'No Operation'],
    ['operation', ''],
    ['operation', 'sharpen'],
    ['operation', '%00'],
    ['createdAfter', 'yesterday'],
    ['createdAfter', '9999-12-31T23:59:59-23:59'],
    ['createdAfter', '2026-11-21T08:00:00%2B16:00'],
    ['createdAfter', ''],
    ['createdAfter', '1700000000'],
    ['createdAfter', '2026-13-01T00:00:00Z'],
    ['createdAfter', '2026-02-30T00:00:00Z'],
    ['createdBefore', '2026-01-01T25:00:00Z'],
    ['createdBefore', 'infinity'],
    ['createdBefore', 'now'],
    ['createdBefore', '%00'],
    ['color', 'red'],
    ['Limit', '5'],
  ])('%s=%s', async (field, value) => {
    const { status, body, text } = await list(`${field}=${value}`);
    expect(status, text).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field }] });
  });

  it.each([
    '2026-11-21',
    '2026-11-21T08:00:00',
    '2026-W47-6',
    '2026-325',
    '20261121T080000Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T08:00:60Z',
    '2026-11-21T08Z',
    '0000-01-01T00:00:00Z',
    '-2026-01-01T00:00:00Z',
    '%2B012026-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '2026-11-21T08:00:00,5Z',
    '2026-11-21T08:00:00-12',
    '2026-11-21T08:00:00%2B99:99',
  ])('or 200, but never 500, for an unusual time: %s', async (time) => {
    const { status } = await list(`createdAfter=${time}`);
    expect([200, 400]).toContain(status);
  });

  it('with all errors at once', async () => {
    const { body } = await list('limit=0&status=x&createdAfter=y&foo=1');
    const { errors } = body as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field).toSorted()).toEqual(['createdAfter', 'foo', 'limit', 'status']);
  });
});

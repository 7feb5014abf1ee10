import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const url = 'https://receiver.example/';

describe('POST /api/webhooks/endpoints → 400', () => {
  it.each([
    [{}, 'url', 'required'],
    [{ url: 5 }, 'url', 'type'],
    [{ url: 'receiver.example' }, 'url', 'format'],
    [{ url: 'http://receiver.example/' }, 'url', 'format'],
    [{ url: 'ftp://receiver.example/' }, 'url', 'format'],
    [{ url: 'https://name:word@receiver.example/' }, 'url', 'format'],
    [{ url: 'https://127.0.0.1/' }, 'url', 'format'],
    [{ url: 'https://0x7f.1/' }, 'url', 'format'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url', 'format'],
    [{ url: 'https://localhost/' }, 'url', 'format'],
    [{ url: 'https://receiver.example:22/' }, 'url', 'format'],
    [{ url: 'https://receiver.example:5432/' }, 'url', 'format'],
    [{ url: `https://receiver.example/${'a'.repeat(2_100)}` }, 'url', 'format'],
    [{ url, events: [] }, 'events', 'enum'],
    [{ url, events: null }, 'events', 'enum'],
    [{ url, events: 'ping' }, 'events', 'enum'],
    [{ url, events: ['job.done'] }, 'events', 'enum'],
    [{ url, events: ['ping', 'ping'] }, 'events', 'enum'],
    [{ url, events: ['*', 'ping'] }, 'events', 'enum'],
    [{ url, description: 7 }, 'description', 'text'],
    [{ url, description: 'x'.repeat(501) }, 'description', 'text'],
    [{ url, description: 'a\u0000b' }, 'description', 'text'],
    [{ url, metadata: { a: 1 } }, 'metadata', 'metadata'],
    [{ url, metadata: null }, 'metadata', 'metadata'],
    [{ url, secret: 'whsec_mine' }, 'secret', 'unknown'],
    [{ url, enabled: false }, 'enabled', 'unknown'],
  ])('%j: %s %s', async (json, field, code) => {
    const before = await harness.footprint();
    const { status, body } = await harness.call('POST', '/api/webhooks/endpoints', {
      key: account.key,
      json,
    });
    expect(status).toBe(400);
    const { errors } = body as { errors: { field: string; code: string; message: string }[] };
    expect(errors).toMatchObject([{ field, code }]);
    expect(errors[0]!.message).toMatch(/^(url|events|description|metadata|secret|enabled)\b.*\.$/);
    expect(await harness.footprint()).toEqual(before);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const OPERATIONS = [
  { operation: 'smooth_skin', level: 'low' },
  { operation: 'upscale', level: 'high' },
];

async function refused(json: Record<string, unknown>) {
  const { url: sourceUrl } = await harness.newSource(account);
  const before = await harness.footprint();
  const answer = await harness.createJob(account.key, { sourceUrl, ...json });
  expect(await harness.footprint()).toEqual(before);
  return answer;
}

const read = async (id: string): Promise<unknown> =>
  (await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key })).body;

describe('POST /api/ai/enhance with preset', () => {
  it('runs the operations of the preset, and names it', async () => {
    await harness.newPreset(account, 'mine', { operations: OPERATIONS, output: { format: 'webp' } });
    const { url: sourceUrl } = await harness.newSource(account);
    const { status, body } = await harness.createJob(account.key, { sourceUrl, preset: 'mine' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      preset: 'mine',
      operation: 'smooth_skin',
      level: 'low',
      operations: OPERATIONS,
      output: { format: 'webp' },
    });
    const [row] = await harness.rows<{ enhancements: number; preset: string }>(
      'SELECT enhancements, preset FROM jobs WHERE id = $1',
      [body['id']],
    );
    expect(row).toEqual({ enhancements: 2, preset: 'mine' });
  });

  it('finds the background of the preset after PUBLIC_URL has changed', async () => {
    const { url, id } = await harness.newSource(account);
    const output = { background: { sourceUrl: url } };
    const { name } = await harness.newPreset(account, 'framed', {
      operations: [{ operation: 'bg_remove' }],
      output,
    });
    await harness.rows(
      `UPDATE presets SET output = replace(output::text, $2, 'http://earlier.example')::jsonb WHERE account_id = $1`,
      [account.id, PUBLIC_URL],
    );
    const { status, text } = await harness.createJob(account.key, { sourceUrl: url, preset: name });
    expect(status, text).toBe(201);
    expect(text).toContain(`${PUBLIC_URL}/files/${id}`);
    const { body } = await harness.call('GET', `/api/ai/presets/${name}`, { key: account.key });
    expect(body).toMatchObject({ output });
  });

  it('keeps its operations when the preset is changed or deleted', async () => {
    const { name } = await harness.newPreset(account, 'fleeting', { operations: OPERATIONS });
    const job = await harness.newJob(account, { operation: undefined, preset: name });
    const before = await read(job.id);
    await harness.newPreset(account, name, { operations: [{ operation: 'bg_remove' }] });
    const second = await harness.newJob(account, { operation: undefined, preset: name });
    await harness.call('DELETE', `/api/ai/presets/${name}`, { key: account.key });
    const { sourceUrl: _before, ...rest } = before as Record<string, unknown>;
    expect(await read(job.id)).toMatchObject(rest);
    expect(await read(second.id)).toMatchObject({ preset: name, operations: [{ operation: 'bg_remove' }] });
  });

  it('replaces the whole output of the preset with that of the request', async () => {
    const output = { format: 'webp', quality: 50, metadata: 'keep' };
    await harness.newPreset(account, 'other', { operations: OPERATIONS, output });
    const job = await harness.newJob(account, {
      operation: undefined,
      preset: 'other',
      output: { quality: 90 },
    });
    expect((job as unknown as { output: object }).output).toEqual({
      format: 'jpeg',
      quality: 90,
      background: null,
    });
  });

  it.each(['portrait', 'product-on-white', 'old-scan'])(
    'accepts the built-in preset %s, and charges each of its operations',
    async (preset) => {
      const { url: sourceUrl } = await harness.newSource(account);
      const json = { sourceUrl, preset, dryRun: true };
      const { status, body } = await harness.createJob(account.key, json);
      expect(status).toBe(200);
      expect(body).toMatchObject({ cost: 2, output: { format: 'jpeg', quality: 92 } });
    },
  );

  it('returns 404 for a preset of another account', async () => {
    await harness.newPreset(await harness.createAccount(), 'theirs');
    const { status, body } = await refused({ preset: 'theirs' });
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'preset_not_found',
      errors: [{ field: 'preset', code: 'not_found' }],
    });
  });

  it.each([
    [{ preset: 'Mine' }, 'preset', 'matches'],
    [{ preset: 7 }, 'preset', 'type'],
    [{ preset: null }, 'preset', 'type'],
    [{ preset: 'portrait', operation: 'upscale' }, 'preset', 'conflict'],
    [{ preset: 'portrait', operations: OPERATIONS }, 'preset', 'conflict'],
    [{ preset: 'portrait', level: 'low' }, 'level', 'conflict'],
    [{ preset: 'product-on-white', output: { format: 'jpeg' } }, 'output.background', 'required'],
  ])('rejects %j with 400: %s %s', async (json, field, code) => {
    const { status, body } = await refused(json);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field, code }] });
  });

  it('names the operation of the preset that does not fit the source', async () => {
    await harness.newPreset(account, 'wide', { operations: [{ operation: 'upscale', width: 9_000 }] });
    const { status, body } = await refused({ preset: 'wide' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'preset.operations.0.width', code: 'range' }] });
  });
});

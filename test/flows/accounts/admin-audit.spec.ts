import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditAction } from '../../../src/audit/audit-actions.js';
import { adminProgram } from '../../../src/cli/admin-program.js';
import type { CommandLine } from '../../../src/cli/command-line.mjs';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { AdminCommands } from '../../support/admin/admin-commands.js';
import { adminAnswer, type AdminOutcome } from '../../support/roles/admin-command.js';
import {
  COMPARISON_ID,
  EMAIL,
  ENDPOINT_ID,
  FAILED_JOB_ID,
  MEMBER,
  ON_DATABASE,
  READERS,
  REQUEST_IDS,
  ROWS,
  WORKER,
} from '../../support/admin/admin-audit-rows.js';
import { builtProgram, ensureFlowBuild } from '../../support/roles/flow-build.js';
import { flowEnvironment } from '../../support/roles/flow-environment.js';

interface Event extends Record<string, unknown> {
  readonly id: string;
  readonly action: AuditAction;
}

/** A session that `account sign-out` can end. */
const SESSION = `INSERT INTO sessions (token_hash, account_id, expires_at)
  SELECT sha256('a'), id, now() + interval '1 hour' FROM accounts WHERE email = $1`;

const ENDPOINT = `INSERT INTO webhook_endpoints (id, account_id, url, events, metadata, enabled, sealed_secret,
    previous_secrets, created_at, updated_at)
  SELECT $2, id, 'https://receiver.example/', '{*}', '{}', true, '', '[]', now(), now()
    FROM accounts WHERE email = $1`;

const REQUESTS = `INSERT INTO plan_requests (id, account_id, plan)
  SELECT CASE email WHEN $1 THEN $3 ELSE $4 END, id, CASE email WHEN $1 THEN 'enterprise' ELSE 'personal' END
    FROM accounts WHERE email IN ($1, $2)`;

/** What a worker reports about an operation that it serves. */
const UPSCALE = {
  operation: 'upscale',
  description: 'Enlarges.',
  levels: ['low', 'medium', 'high'],
  scales: { low: 2, medium: 2, high: 4 },
  producesAlpha: false,
  model: { name: 'm', version: 1, sha256: '0' },
};

const FAILED_JOB = `WITH s AS (
    INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
    SELECT 'src_' || repeat('1', 32), id, 'sources/1.png', 'png', 8, 8, 100, '', now()
      FROM accounts WHERE email = $1 RETURNING id, account_id)
  INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, status, error_code, source_pixels,
    period, created_at, completed_at)
  SELECT $2, account_id, id, 'upscale', 'low', '{"format": "png", "quality": null, "background": null}', '{}', 'failed',
    'worker_lost', 64, to_char(now(), 'YYYY-MM'), now(), now() FROM s`;

/** The commands that act, such as `key create`, rather than group others. */
function commandNames(program: CommandLine): readonly string[] {
  return program.commands.flatMap((command) => {
    const inner = commandNames(command);
    return inner.length === 0 ? [command.name()] : inner.map((name) => `${command.name()} ${name}`);
  });
}

describe('npm run admin and the audit log', () => {
  let database: TestDatabase;
  let rows: FlowDatabase;
  let dataDir: string;
  let env: NodeJS.ProcessEnv;
  let commands: AdminCommands;
  beforeAll(async () => {
    await ensureFlowBuild();
    database = await createTestDatabase();
    rows = new FlowDatabase(database.databaseUrl);
    dataDir = await mkdtemp(join(tmpdir(), 'ies-admin-'));
    env = flowEnvironment({ DATABASE_URL: database.databaseUrl, DATA_DIR: dataDir });
    commands = AdminCommands.start(env);
    await rows.rows("INSERT INTO accounts (id, email, plan) VALUES ('acc_other', $1, 'free')", [MEMBER]);
    await rows.rows(
      `INSERT INTO model_workers (id, host, pid, device, operations, versions, refusals, available, state, seen_at)
       VALUES ($1, 'box', 1, 'cpu', $3, '[]', '[]', $2, 'serving', now() + interval '1 hour')`,
      [
        WORKER,
        JSON.stringify([1, 2].map((version) => ({ operation: 'upscale', version }))),
        JSON.stringify([UPSCALE]),
      ],
    );
    await rows.rows(
      `INSERT INTO version_comparisons (id, operation, level, version_a, version_b, status, failure, ended_at)
       VALUES ($1, 'upscale', 'low', 1, 2, 'failed', 'Broken.', now())`,
      [COMPARISON_ID],
    );
    await rows.rows(
      "INSERT INTO two_factor_secrets (account_id, sealed_secret, enabled_at) VALUES ('acc_other', 'x', now())",
    );
    await rows.rows(
      `INSERT INTO oidc_identities (issuer, subject, account_id)
       VALUES ('https://id.example', 'grace', 'acc_other'), ('https://id.example', 'other', 'acc_other')`,
    );
  });
  afterAll(async () => {
    const code = await commands?.close();
    await rows?.close();
    await database?.drop();
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
    // Otherwise, a command has left something open, and its program would not end.
    expect(code).toBe(0);
  });

  /** Runs the program itself. */
  async function admin(words: readonly string[], input = '', format = ['--json']): Promise<AdminOutcome> {
    const child = spawn(process.execPath, [builtProgram('main.admin.js'), ...words, ...format], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    child.stdin.on('error', () => undefined).end(input);
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  const runCommand = (words: readonly string[]): Promise<AdminOutcome> => commands.run([...words, '--json']);

  const audit = async (...words: readonly string[]): Promise<Event[]> =>
    (await adminAnswer(database.databaseUrl, 'audit', ...words)) as Event[];

  /** The id of the last event; 0 before the first. */
  async function newest(): Promise<number> {
    const [row] = await rows.rows<{ id: number }>('SELECT coalesce(max(id), 0)::int AS id FROM audit_events');
    return row!.id;
  }
  let keyId = '';
  const withKey = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('$key', keyId)) as T;

  it('has a test case for every command', () => {
    const audited = new Set(ROWS.map(({ command }) => command));
    const known = [...audited, ...Object.keys(READERS), ...ON_DATABASE];
    const program = adminProgram(() => undefined);
    expect(known.toSorted()).toEqual(commandNames(program).toSorted());
  });

  it.each(ROWS)('"$command" writes exactly its events', async ({ command, words, input, events }) => {
    if (command === 'account sign-out') await rows.rows(SESSION, [EMAIL]);
    if (command === 'account approve-request') await rows.rows(REQUESTS, [EMAIL, MEMBER, ...REQUEST_IDS]);
    if (command === 'endpoint disable') await rows.rows(ENDPOINT, [EMAIL, ENDPOINT_ID]);
    if (command === 'job run-again') await rows.rows(FAILED_JOB, [EMAIL, FAILED_JOB_ID]);
    const before = await newest();
    const all = [...command.split(' '), ...withKey(words)];
    const { code, output } = await (input === undefined ? runCommand(all) : admin(all, input));
    expect(code, output).toBe(0);
    if (command === 'key create') keyId = (JSON.parse(output) as { id: string }).id;
    const written = (await audit()).filter(({ id }) => Number(id) > before).toReversed();
    expect(written.map(({ action }) => action)).toEqual(events.map(({ action }) => action));
    const ofAccount = /^(?:secrets|restores|audit|worker|model)/.test(command)
      ? null
      : (expect.stringMatching(/^acc_/) as string);
    for (const [index, event] of written.entries()) {
      expect(event).toMatchObject({ accountId: ofAccount, ...withKey(events[index]!) });
      expect(event).toMatchObject({ actorKind: 'operator', actorId: userInfo().username, address: null });
      expect(Math.abs(Date.parse(String(event['createdAt'])) - Date.now())).toBeLessThan(120_000);
    }
    expect(JSON.stringify(written)).not.toMatch(/ies_\w|moon and back/);
  });

  it.each(Object.entries(READERS))('"%s" writes nothing', async (command, words) => {
    const before = await newest();
    const { code, output } = await runCommand([...command.split(' '), ...words]);
    expect(code, output).toBe(0);
    expect(await newest()).toBe(before);
  });

  it.each([
    ['account', 'create', EMAIL],
    ['key', 'revoke', '$key'],
    ['account', 'reset-two-factor', EMAIL],
    ['account', 'set-plan', 'nobody@example.org', 'free'],
  ])('writes nothing for "%s %s %s", which is rejected', async (...words) => {
    const before = await newest();
    expect((await admin(withKey(words))).code).toBe(1);
    expect(await newest()).toBe(before);
  });

  it('can be filtered by account, action and time, and paginated', async () => {
    // More than ten, so that sorting ids as text would show.
    await rows.rows(
      `INSERT INTO audit_events (account_id, action, actor_kind)
       SELECT 'acc_other', 'sign_out', 'person' FROM generate_series(1, 5)`,
    );
    const all = await audit();
    const printed = await admin(['audit']);
    expect(JSON.parse(printed.output)).toEqual(all);
    expect(all.length).toBeGreaterThan(10);
    expect(all.map(({ id }) => Number(id))).toEqual(
      all.map(({ id }) => Number(id)).toSorted((a, b) => b - a),
    );
    const ofAda = await audit('--account', EMAIL);
    expect(ofAda).toEqual(all.filter(({ accountId }) => accountId !== null && accountId !== 'acc_other'));
    expect(await audit('--account', String(ofAda[0]!['accountId']))).toEqual(ofAda);
    const actions = async (...words: readonly string[]) =>
      (await audit(...words)).map(({ action }) => action);
    expect(await actions('--action', 'key')).toEqual(['key.revoked', 'key.created', 'key.created']);
    expect(await actions('--action', 'key.revoked', '--account', EMAIL)).toEqual(['key.revoked']);
    expect(await audit('--since', '1h')).toEqual(all);
    expect(await audit('--since', '2999-01-01')).toEqual([]);
    expect(await audit('--until', '2999-01-01')).toEqual(all);
    expect(await audit('--until', '1h')).toEqual([]);
    const pages: Event[] = [];
    for (let before: string[] = []; ; before = ['--before', pages.at(-1)!.id]) {
      const page = await audit('--limit', '6', ...before);
      pages.push(...page);
      if (page.length < 6) break;
    }
    expect(pages).toEqual(all);
  });

  it('exports every event as CSV or NDJSON', async () => {
    const all = await audit('--action', 'key');
    const { output } = await admin(['audit-export', '--action', 'key', '--format', 'ndjson']);
    const lines = output.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Event).id)).toEqual(all.map(({ id }) => id));
    expect(JSON.parse(lines[0]!)).toMatchObject({ accountEmail: EMAIL, title: 'API key revoked' });
    const table = (await admin(['audit-export', '--account', EMAIL], '', [])).output.trimEnd().split('\r\n');
    expect((await admin(['audit-export', '--action', 'key'])).output).toBe(output);
    expect(table[0]).toMatch(/^id,createdAt,accountId,accountEmail,action,/);
    expect(table).toHaveLength(1 + (await audit('--account', EMAIL)).length);
  });

  it.each([
    ['--since', 'soon', /--since must be a date/],
    ['--action', 'keys', /--action must be one of/],
    ['--before', 'x', /--before must be the id/],
    ['--limit', '0', /--limit must be a whole number/],
  ])('refuses %s %s', async (option, value, refusal) => {
    // The next test checks the exit code.
    await expect(audit(option, value)).rejects.toThrow(refusal);
  });

  it('rejects a key expiry in the past', async () => {
    const { code, output } = await admin(['key', 'create', EMAIL, '--expires-at', '2020-01-01']);
    expect(code).toBe(2);
    expect(output).toMatch(/--expires-at must be in the future/);
  });
});

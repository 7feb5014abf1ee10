import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/env.js';
import { freePort } from '../../src/infra/database/embedded/free-port.js';
import { newWebhookSecret, signWebhook } from '../../src/kernel/webhooks/webhook-signature.js';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { codeBlock, codeBlocks } from '../support/source/code-blocks.js';
import { ensureFlowBuild } from '../support/roles/flow-build.js';
import { type Harness, startHarness } from '../support/app/harness.js';
import { eventually } from '../support/roles/flow-wait.js';
import { ListeningProgram } from '../support/roles/listening-program.js';

const PAGE = 'docs/webhooks.md';
const SECRET = newWebhookSecret();
const BODY = '{"id":"evt_1","type":"ping","data":{"text":"Grüße 🌍"}}';

const signed = (given: { secret?: string; ageSeconds?: number } = {}) => ({
  ...signWebhook({
    id: 'evt_1',
    timestampSeconds: Math.floor(Date.now() / 1000) - (given.ageSeconds ?? 0),
    body: BODY,
    secrets: [newWebhookSecret(), given.secret ?? SECRET],
  }),
});

let folder: string;
let program: ListeningProgram | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ies-webhooks-page-'));
});
afterEach(async () => {
  await program?.close();
  program = undefined;
});
afterAll(async () => rm(folder, { recursive: true }));

async function post(headers: Record<string, string>, body = BODY): Promise<number> {
  return (await fetch(program!.url, { method: 'POST', headers, body })).status;
}

/** Begins a request, and closes the connection before its body is complete. */
async function disconnectEarly(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = ['POST / HTTP/1.1', `Host: ${hostname}`, 'Content-Length: 100', '', '{"id"'].join('\r\n');
  await new Promise((resolve) => void socket.write(head, resolve));
  socket.destroy();
}

describe('the commands of the page', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('register an endpoint with curl', async () => {
    const { key } = await harness.createAccount();
    const names = { IMAGE_ENHANCEMENT_URL: harness.url, IMAGE_ENHANCEMENT_API_KEY: key };
    const env = { PATH: process.env['PATH'], ...names };
    const child = spawn('bash', ['-ec', codeBlock(PAGE, 'Register an endpoint', 'bash')], { env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await new Promise((done) => void child.once('close', done));
    expect(JSON.parse(output)).toMatchObject({
      url: 'https://example.com/webhooks',
      events: ['job.completed', 'enhancement.failed'],
      secret: expect.stringMatching(/^whsec_/),
    });
  });

  it('use settings that the service knows', () => {
    const command = codeBlocks(PAGE).find(({ code }) => code.includes('npm start'));
    const assigned = [...command!.code.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]);
    const config = readConfig(Object.fromEntries(assigned) as Record<string, string>);
    expect(config).toMatchObject({
      webhookAllowHttp: true,
      webhookAllowNetworks: ['127.0.0.0/8', '::1/128'],
    });
  });

  it('show the retry schedule that the service uses', () => {
    const page = readFileSync(join(ROOT, PAGE), 'utf8');
    const rows = [...page.matchAll(/\| (\d+) +\| ([\w ]+?) +(?=\|)/g)].map(([, n, after]) => [
      Number(n),
      after,
    ]);
    const shown = rows.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, after]) => after);
    const unitMs: Record<string, number> = { s: 1000, min: 60_000, hours: 3_600_000 };
    const delaysMs = shown.map((after) => {
      const [count, unit] = String(after).split(' ');
      return after === 'at once' ? 0 : Number(count) * unitMs[unit!]!;
    });
    expect(delaysMs).toEqual(readConfig({}).webhookRetryDelaysMs);
  });
});

describe.each([
  ['JavaScript', 'js', 'receiver.mjs', process.execPath],
  ['Python', 'python', 'receiver.py', 'python3'],
])('the receiver in %s', (headline, language, name, runtime) => {
  it('accepts genuine requests and refuses all others', async () => {
    const file = join(folder, name);
    await writeFile(file, codeBlock(PAGE, headline, language));
    program = await ListeningProgram.start([runtime, file], {
      port: await freePort(),
      env: { WEBHOOK_SECRET: SECRET },
    });
    expect(await post(signed())).toBe(204);
    expect(await post(signed({ secret: newWebhookSecret() }))).toBe(400);
    expect(await post(signed({ ageSeconds: 301 }))).toBe(400);
    expect(await post(signed({ ageSeconds: -310 }))).toBe(400);
    expect(await post(signed(), `${BODY} `)).toBe(400);
    expect(await post({})).toBe(400);
    for (const header of [
      '',
      'nonsense',
      't=,v1=',
      't=1',
      `t=${Math.floor(Date.now() / 1000)},v1=é`,
      `t=${Math.floor(Date.now() / 1000)},v1`,
      't=²,v1=x',
    ]) {
      expect(await post({ 'x-service-signature': header }), header).toBe(400);
    }
    await disconnectEarly(program.url);
    // It still works after all that.
    expect(await post(signed())).toBe(204);
    await eventually('two lines', () => {
      const lines = program!.output.trim().split('\n');
      return lines.length === 2 ? { found: lines } : { seen: program!.output };
    });
    expect(program.output).toBe('ping evt_1\nping evt_1\n');
  });
});

describe('the check in a shell', () => {
  const check = async (header: string, body: string) => {
    await writeFile(join(folder, 'body.json'), body);
    const result = spawnSync('bash', ['-c', codeBlock(PAGE, 'A shell', 'bash')], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], SIGNATURE: header, WEBHOOK_SECRET: SECRET },
    });
    return result.stdout.trim();
  };

  it('distinguishes genuine requests from forged ones', async () => {
    expect(await check(signed()['x-service-signature'], BODY)).toBe('genuine');
    expect(await check(signed()['x-service-signature'], `${BODY}\n`)).toBe('forged');
    expect(await check(signed({ secret: newWebhookSecret() })['x-service-signature'], BODY)).toBe('forged');
    expect(await check('', BODY)).toBe('forged');
  });
});

describe('npm run webhook-receiver', () => {
  const start = async (...args: string[]) => {
    await ensureFlowBuild();
    const port = await freePort();
    const script = join(ROOT, 'scripts', 'webhook-receiver.mjs');
    const command = [process.execPath, script, '--port', String(port), ...args];
    program = await ListeningProgram.start(command, { port });
    return program;
  };

  it('is a script in package.json, as the page says', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['webhook-receiver']).toBe('exec node scripts/webhook-receiver.mjs');
    const shown = codeBlocks(PAGE).map(({ code }) => code);
    expect(shown.join('')).toContain('npm run webhook-receiver -- --port 9000 --secret "$WEBHOOK_SECRET"');
  });

  it('prints each request, and whether its signature is valid or why not', async () => {
    const receiver = await start('--secret', SECRET);
    expect(await post(signed())).toBe(200);
    expect(await post(signed({ secret: newWebhookSecret() }))).toBe(200);
    expect(await post(signed({ ageSeconds: 1000 }))).toBe(200);
    expect(await post({})).toBe(200);
    // A program's output may arrive later than its response.
    await expect
      .poll(() => receiver.output)
      .toContain('✗ missing_header: There is no X-Service-Signature header.');
    expect(receiver.output).toMatch(/✓ The signature is valid \(made \d s ago\)\.\n\{\n {2}"id": "evt_1",/);
    expect(receiver.output).toContain('"text": "Grüße 🌍"');
    expect(receiver.output).toContain('✗ signature_mismatch: No v1 signature matches');
    expect(receiver.output).toContain('✗ stale_timestamp: The signature is valid, but it is 100');
  });

  it('responds with the requested status, and warns when it has no secret', async () => {
    const receiver = await start('--status', '503');
    expect(await post(signed())).toBe(503);
    await expect.poll(() => receiver.output).toContain('? The signature was not checked');
  });

  it('refuses an oversized body and keeps running', async () => {
    const receiver = await start('--secret', SECRET);
    const answer = await post({}, 'x'.repeat(3_000_000)).catch(() => 413);
    expect(answer).toBe(413);
    await expect.poll(() => receiver.output).toContain('✗ A body of more than 1000000 bytes was refused.');
    expect(await post(signed())).toBe(200);
  });

  it.each([
    ['--port', 'x'],
    ['--status', '99'],
    ['--secrets', 'x'],
  ])('explains what is wrong with %s %s', (...args) => {
    const script = join(ROOT, 'scripts', 'webhook-receiver.mjs');
    const result = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    expect(result.status).toBe(2);
    expect(result.stderr.split('\n')[0]).toMatch(
      /--port must be|--status must be|Unknown option '--secrets'/,
    );
    expect(result.stderr).not.toContain('    at ');
  });
});

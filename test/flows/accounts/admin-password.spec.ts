import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram, ensureFlowBuild } from '../../support/roles/flow-build.js';
import { flowEnvironment } from '../../support/roles/flow-environment.js';
import { FlowService } from '../../support/roles/flow-service.js';

const EMAIL = 'ada@example.org';

describe('npm run admin and passwords', () => {
  let service: FlowService;
  beforeAll(async () => {
    await ensureFlowBuild();
    service = await FlowService.start({ roles: ['api'], env: { SIGNUP: 'closed' } });
  });
  afterAll(() => service?.close());

  /** Runs a command with this text on its standard input. */
  async function admin(
    input: string,
    ...words: readonly string[]
  ): Promise<{ code: number; output: string }> {
    const env = flowEnvironment({ DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir });
    const child = spawn(process.execPath, [builtProgram('main.admin.js'), ...words], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    child.stdin.on('error', () => undefined).end(input);
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  async function signIn(password: string): Promise<Response> {
    return fetch(`${service.baseUrl}/dashboard/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL, password }),
    });
  }

  it('create an account that can sign in while sign-up is closed', async () => {
    const made = await admin('the moon and back\n', 'account', 'create', EMAIL, '--password-stdin', '--json');
    expect(made.code, made.output).toBe(0);
    expect(JSON.parse(made.output)).toEqual({
      accountId: expect.stringMatching(/^acc_/) as string,
      key: expect.stringMatching(/^ies_/) as string,
    });
    expect((await signIn('the moon and back')).status).toBe(200);
  });

  it('print a single-use link to choose a password', async () => {
    const issued = await admin('', 'account', 'reset-link', EMAIL, '--json');
    expect(issued.code, issued.output).toBe(0);
    const { link } = JSON.parse(issued.output) as { link: string };
    const complete = (newPassword: string): Promise<Response> =>
      fetch(`${service.baseUrl}/dashboard/api/password-resets/complete`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: new URL(link).hash.slice(1), newPassword }),
      });
    expect((await complete('round the moon and back')).status).toBe(204);
    expect((await complete('to the moon again')).status).toBe(400);
    expect((await signIn('round the moon and back')).status).toBe(200);
    const again = await admin('the moon and back', 'account', 'set-password', EMAIL, '--password-stdin');
    expect(again.code, again.output).toBe(0);
  });

  it('change a password and end every session', async () => {
    const session = (await signIn('the moon and back')).headers.getSetCookie()[0]!.split(';', 1)[0]!;
    const changed = await admin('to the sun and back', 'account', 'set-password', EMAIL, '--password-stdin');
    expect(changed.code, changed.output).toBe(0);
    const keys = await fetch(`${service.baseUrl}/dashboard/api/keys`, { headers: { cookie: session } });
    expect(keys.status).toBe(401);
    expect((await signIn('the moon and back')).status).toBe(401);
    expect((await signIn('to the sun and back')).status).toBe(200);
  });

  it.each([
    ['short\n', ['account', 'set-password', EMAIL, '--password-stdin'], /at least 12 characters/],
    ['', ['account', 'create', 'new@example.org', '--password-stdin'], /at least 12 characters/],
    [`${EMAIL}\n`, ['account', 'set-password', EMAIL, '--password-stdin'], /must not be the email address/],
    ['', ['account', 'set-password', EMAIL], /Required option '--password-stdin'/],
  ])('refuse %j to %j and change nothing', async (input, words, refusal) => {
    const { code, output } = await admin(input, ...words);
    expect(code).toBe(2);
    expect(output).toMatch(refusal);
    expect(await service.database.rows('SELECT email FROM accounts')).toEqual([{ email: EMAIL }]);
  });
});

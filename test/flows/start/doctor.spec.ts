import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/cli/doctor/finding.js';
import { builtProgram, ensureFlowBuild } from '../../support/roles/flow-build.js';
import { flowEnvironment } from '../../support/roles/flow-environment.js';
import { MailServer } from '../../support/mail/mail-server.js';
import { S3Server } from '../../support/storage/s3-server.js';

interface Report {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

describe('npm run doctor', () => {
  let dataDir: string;
  beforeAll(async () => {
    await ensureFlowBuild();
    dataDir = await mkdtemp(join(tmpdir(), 'ies-doctor-'));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  async function doctor(
    env: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): Promise<{ code: number | null; text: string }> {
    const child = spawn(process.execPath, [builtProgram('main.doctor.js'), ...args], {
      env: flowEnvironment({ DATA_DIR: dataDir, PORT: '0', ...env }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, text };
  }

  const missing = ({ findings }: Report) =>
    findings.filter(({ status }) => status === 'missing').map(({ area, text }) => `${area}: ${text}`);

  it('finds everything it needs on a machine that can run these tests', async () => {
    const { code, text } = await doctor({}, '--json');
    const report = JSON.parse(text) as Report;
    expect(missing(report)).toEqual([]);
    expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
    const said = report.findings.map(({ area, text: words }) => `${area}: ${words}`);
    expect(said).toContain('devices: cpu computes');
    expect(said).toContain('codecs: jpeg, png, webp, avif can be written and read');
    // Whichever sandbox this machine allows, the report names it, with advice unless it is the strongest.
    expect(said.find((line) => line.startsWith('decoding: '))).toMatch(
      /"(?:seccomp|sandbox|namespaces|network|privileges|limits|none)", as (?:nobody|this user), .*bounded memory/,
    );
    expect(said.find((line) => line.startsWith('models: '))).toMatch(/auto_enhance\/\d+.*upscale\/\d+/);
    for (const { status, advice } of report.findings)
      expect(status === 'ok' || advice !== undefined).toBe(true);
  });

  it('writes to, reads from, lists and deletes from the configured object store', async () => {
    const server = await S3Server.start();
    try {
      const storage = async () => {
        const report = JSON.parse((await doctor(server.environment(), '--json')).text) as Report;
        return report.findings.find(({ area }) => area === 'storage');
      };
      expect(await storage()).toMatchObject({
        status: 'ok',
        text: 's3://images/service/ can be written, read, listed and deleted',
      });
      await server.cut();
      const gone = await storage();
      expect(gone).toMatchObject({ status: 'missing' });
      expect(gone?.text).toMatch(/cannot be used \(.*ECONNREFUSED/);
    } finally {
      await server.close();
    }
  });

  it('connects to the configured mail server and signs in', async () => {
    const server = await MailServer.start({ user: 'sender', pass: 'p@ss:word' });
    try {
      const mail = async (SMTP_URL: string) => {
        const env = { SMTP_URL, SMTP_FROM: 'mail@images.example' };
        const report = JSON.parse((await doctor(env, '--json')).text) as Report;
        return report.findings.find(({ area }) => area === 'mail');
      };
      expect(await mail(server.url)).toMatchObject({ status: 'ok' });
      const refused = await mail(server.url.replace('sender', 'stranger'));
      expect(refused).toMatchObject({ status: 'missing' });
      expect(JSON.stringify(refused)).not.toContain('p%40ss');
      await server.down();
      expect((await mail(server.url))?.text).toMatch(/cannot be used \(.*ECONNREFUSED/);
      expect(server.asked).toEqual([]);
    } finally {
      await server.down();
    }
  });

  it('reports a mail server that offers no sign-in, although SMTP_URL contains a user', async () => {
    const server = await MailServer.start();
    try {
      const env = { SMTP_URL: server.urlWith('sender'), SMTP_FROM: 'mail@images.example' };
      const report = JSON.parse((await doctor(env, '--json')).text) as Report;
      expect(report.findings.find(({ area }) => area === 'mail')).toMatchObject({ status: 'missing' });
    } finally {
      await server.down();
    }
  });

  it('reports everything missing from a configuration, with advice, and exits with code 1', async () => {
    const broken = {
      INFERENCE_DEVICE: 'tensorrt',
      REDIS_URL: 'redis://127.0.0.1:1',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      MODELS_DIR: join(dataDir, 'none'),
      DATA_DIR: join(process.execPath, 'none'),
    };
    const { code, text } = await doctor(broken, '--json');
    const report = JSON.parse(text) as Report;
    expect({ code, ok: report.ok }).toEqual({ code: 1, ok: false });
    expect(missing(report)).toEqual([
      expect.stringContaining('/none cannot be written'),
      expect.stringContaining('devices: tensorrt does not work: '),
      expect.stringContaining('models: The model repository '),
      expect.stringContaining('database: the database of DATABASE_URL does not answer'),
      expect.stringContaining('queue: the Redis of REDIS_URL cannot be used'),
    ]);
  });

  it('notes a variable whose name is close to a known one', async () => {
    const { code, text } = await doctor({ PORT: 'x', DATABSE_URL: 'postgres://me:secret@host/db' });
    expect(code).toBe(1);
    expect(text).toContain('– configuration  unknown variable DATABSE_URL, did you mean DATABASE_URL?');
    expect(text).not.toContain('secret@');
  });

  it('reports configuration errors in a readable form', async () => {
    const { code, text } = await doctor({ PORT: 'x', INFERENCE_DEVICES: 'gpu' });
    expect(code).toBe(1);
    expect(text).toMatch(/✗ configuration {2}PORT must be a whole number/);
    expect(text).toMatch(/✗ configuration {2}INFERENCE_DEVICES must be a list of /);
    expect(text).toContain('nothing else was checked');
    expect(text).toMatch(/2 required items are missing/);
  });

  it('rejects an unknown option', async () => {
    expect((await doctor({}, '--jsn')).code).toBe(2);
  });
});

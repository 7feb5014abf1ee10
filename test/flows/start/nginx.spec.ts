import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { ListeningProgram } from '../../support/roles/listening-program.js';

const isInstalled = spawnSync('nginx', ['-v']).status === 0;
const why = isInstalled ? '' : ' (skipped: nginx is missing; it is in the Debian package nginx-light)';
const NAME = 'images.example.com';
const PASSWORD = 'correct horse battery staple';
/** An address that only the client has, not nginx. */
const CLIENT_ADDRESS = '127.0.0.9';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe.skipIf(!isInstalled)(`the nginx configuration of docs/operations.md${why}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ies-nginx-'));
  let service: FlowService;
  let nginx: ListeningProgram;
  let [port, plainPort] = [0, 0];
  let certificate: Buffer;
  let key: string;

  beforeAll(async () => {
    service = await FlowService.start({
      roles: ['api', 'worker'],
      models: ['upscale'],
      env: { PUBLIC_URL: `https://${NAME}`, TRUST_PROXY: 'true', SIGN_UPS_PER_MINUTE: '100' },
    });
    key = (await service.client()).account.key;
    [port, plainPort] = [await freePort(), await freePort()];
    nginx = await ListeningProgram.start(['nginx', '-c', configured()], { port });
  });
  afterAll(async () => {
    await nginx?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The block of the page, except for ports and paths. */
  function configured(): string {
    const page = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
    const [, block] = /```nginx\n(.*?)```/s.exec(page)!;
    const [cert, certKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', certKey, '-out', cert];
    const subject = ['-days', '2', '-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
    expect(spawnSync('openssl', [...made, ...subject]).status).toBe(0);
    certificate = readFileSync(cert);
    const server = block!
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
      .replace('http://127.0.0.1:3000', service.baseUrl)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${cert};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${certKey};`);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder};`,
    );
    const path = join(folder, 'nginx.conf');
    const main = `daemon off; pid ${folder}/pid; error_log stderr; events {}`;
    writeFileSync(path, `${main}\nhttp { access_log off; ${paths.join(' ')}\n${server} }\n`);
    return path;
  }

  async function send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Uint8Array | string,
  ): Promise<IncomingMessage> {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      servername: NAME,
      ca: certificate,
      localAddress: CLIENT_ADDRESS,
      headers: { host: NAME, origin: `https://${NAME}`, ...headers },
    });
    // nginx closes the connection when the api refuses the rest of a body.
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end(body);
    return (await answered)[0];
  }

  async function call(...given: Parameters<typeof send>): Promise<Answer> {
    const answer = await send(...given);
    return { status: answer.statusCode!, headers: answer.headers, body: await text(answer) };
  }

  async function upload(bytes: Uint8Array): Promise<Answer> {
    const form = new Response(formOf(bytes));
    const type = form.headers.get('content-type')!;
    const headers = { 'x-api-key': key, 'content-type': type };
    return call('POST', '/api/ai/upload', headers, new Uint8Array(await form.arrayBuffer()));
  }

  it('passes uploads, also those over its own limit of 1 MB, to the api', async () => {
    const { status, body } = await upload(await solidFile(40, 30, [120, 90, 60]));
    expect(status, body).toBe(201);
    expect((JSON.parse(body) as { url: string }).url).toMatch(`https://${NAME}/files/`);
    const tooLarge = await upload(new Uint8Array(30e6));
    expect(tooLarge.status).toBe(413);
    expect(JSON.parse(tooLarge.body)).toMatchObject({ code: 'payload_too_large' });
  });

  it('gives the api the address of the client, whatever the client claims, and keeps cookies secure', async () => {
    const json = { 'content-type': 'application/json', 'x-forwarded-for': '8.8.8.8' };
    const body = JSON.stringify({ email: 'ada@example.com', password: PASSWORD });
    expect((await call('POST', '/dashboard/api/sign-up', json, body)).status).toBe(202);
    const { headers } = await call('POST', '/dashboard/api/sign-in', json, body);
    const cookies = headers['set-cookie'] ?? [];
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; Secure/);
    const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
    const sessions = await call('GET', '/dashboard/api/sessions', { cookie });
    expect(JSON.parse(sessions.body)).toMatchObject({ data: [{ address: CLIENT_ADDRESS }] });
  });

  it('passes the events of a job until it ends', async () => {
    const { body } = await upload(await solidFile(50, 30, [20, 90, 60]));
    const order = JSON.stringify({
      sourceUrl: (JSON.parse(body) as { url: string }).url,
      operation: 'upscale',
    });
    const json = { 'content-type': 'application/json', 'x-api-key': key };
    const job = await call('POST', '/api/ai/enhance', json, order);
    const { id } = JSON.parse(job.body) as { id: string };
    const stream = await send('GET', `/api/ai/enhance/${id}/events`, { 'x-api-key': key });
    expect(stream.headers['content-type']).toContain('text/event-stream');
    expect(await text(stream)).toMatch(/event: job\nid: completed-/);
  });

  it('redirects http to https', async () => {
    const answer = await fetch(`http://127.0.0.1:${plainPort}/docs?a=1`, { redirect: 'manual' });
    expect([answer.status, new URL(answer.headers.get('location')!).href]).toEqual([
      301,
      `https://127.0.0.1/docs?a=1`,
    ]);
  });
});

function formOf(bytes: Uint8Array): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.png');
  return form;
}

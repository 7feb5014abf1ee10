import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { headers, json, multipart } from '../../../scripts/fuzz/http-targets.mjs';
import { runTarget } from '../../../scripts/fuzz/run.mjs';

const CASE_MS = 2_000;
/** Above the silence that ends an incomplete request. */
const LATE_MS = 700;
const RUNNING = { exitCode: null, signalCode: null };

describe('the HTTP targets of `npm run fuzz`', () => {
  const servers: Server[] = [];
  const children: ChildProcess[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  /** A stage whose api is a server in this process. */
  async function stageOf(answer: RequestListener) {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return async () => ({ api: { port, child: RUNNING }, account: { key: 'key' } });
  }

  /** A stage whose api ends itself after a request whose path contains `last`. */
  async function mortalStage(last: string) {
    const child = spawn(
      process.execPath,
      [
        '-e',
        `require('http').createServer((request, response) => {
          if (request.url.includes(${JSON.stringify(last)})) process.kill(process.pid, 'SIGKILL');
          response.end();
        }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    const port = await new Promise<number>((resolve) => {
      child.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())));
    });
    return async () => ({ api: { port, child }, account: { key: 'key' } });
  }

  it.each([json, multipart])('$name reports a complete request without an answer', async (target) => {
    const { run } = await target.open(await stageOf(() => undefined), { caseMs: CASE_MS });
    await expect(run(Buffer.from('{}'))).rejects.toThrow(`no answer after ${CASE_MS} ms`);
  });

  it('reports a late 500 response', async () => {
    const stage = await stageOf((_request, response) => {
      setTimeout(() => response.writeHead(500).end('late'), LATE_MS);
    });
    const { run } = await json.open(stage);
    await expect(run(Buffer.from('{}'))).rejects.toThrow('HTTP/1.1 500');
  });

  it('reports a connection that is closed without an answer', async () => {
    const stage = await stageOf((request, response) => {
      if (request.url === '/health/live') response.end();
      else request.socket.end();
    });
    const { run } = await json.open(stage);
    await expect(run(Buffer.from('{}'))).rejects.toThrow('closed the connection without an answer');
  });

  it('takes an incomplete request for refused as long as the api answers others', async () => {
    let isBlocked = false;
    const stage = await stageOf((_request, response) => {
      if (!isBlocked) response.end();
    });
    const { run, check } = await headers.open(stage, { caseMs: CASE_MS });
    const incomplete = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n');
    expect(await run(incomplete)).toBe('refused');
    isBlocked = true;
    await expect(run(incomplete)).rejects.toThrow(`no answer after ${CASE_MS} ms`);
    await expect(check()).rejects.toThrow(`no answer after ${CASE_MS} ms`);
  });

  it('names the signal that ended the api, and sends nothing more', async () => {
    const lines: string[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'ies-fuzz-'));
    folders.push(folder);
    const stage = await mortalStage('/enhance');
    const target = { ...json, open: () => json.open(stage) };
    const findings = await runTarget(
      target,
      { seconds: 60, maxCases: 5, seed: 1, stage, out: folder },
      (line: string) => void lines.push(line),
    );
    expect(findings).toBe(1);
    expect(lines[0]).toMatch(/^✗ json: the api ended with SIGKILL\n {2}input: .*json-1-1\.bin$/);
    expect(lines[1]).toMatch(/^json: 1 cases, /);
    expect(readdirSync(folder)).toEqual(['json-1-1.bin']);
  });

  it('sends each JSON seed unmodified to its own route', async () => {
    const requests: { url: string; body: string }[] = [];
    const stage = await stageOf((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        requests.push({ url: request.url!, body });
        response.end();
      });
    });
    const { run } = await json.open(stage);
    for (const seed of await json.seeds()) expect(await run(seed)).toBe('accepted');
    expect(requests.map(({ url, body }) => [url, Object.keys(JSON.parse(body) as object)[0]])).toEqual([
      ['/api/ai/enhance', 'sourceUrl'],
      ['/api/ai/enhance', 'sourceUrl'],
      ['/api/webhooks/endpoints', 'url'],
      ['/dashboard/api/sign-in', 'email'],
    ]);
  });
});

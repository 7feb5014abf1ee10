import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureClientBuild } from '../../support/clients/client-build.js';
import { InstalledClient } from '../../support/clients/installed-client.js';
import { COMMAND_LINE, overHttp, overStdio } from '../../support/clients/mcp-agent.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { BUSY_ORDER, busyFile } from '../../support/images/flow-drawn.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { SharedService } from '../../support/roles/shared-service.js';
import { codeBlock, codeBlocks } from '../../support/source/code-blocks.js';

const TOKEN = 'a-token-of-a-spec';
const PAGE = 'docs/mcp.md';

describe('the Model Context Protocol', () => {
  let service: SharedService;
  let client: Awaited<ReturnType<SharedService['client']>>;
  let env: Record<string, string>;
  let root: string;

  beforeAll(async () => {
    await ensureClientBuild();
    service = await SharedService.join();
    client = await service.client();
    env = {
      PATH: process.env['PATH']!,
      IMAGE_ENHANCEMENT_URL: service.baseUrl,
      IMAGE_ENHANCEMENT_API_KEY: client.account.key,
    };
    root = await mkdtemp(join(tmpdir(), 'ies-mcp-'));
    await writeFile(join(root, 'photo.png'), await smallPhoto());
    await writeFile(join(root, 'busy.png'), await busyFile());
  });
  afterAll(async () => {
    await service?.close();
    await rm(root, { recursive: true, force: true });
  });

  describe('over HTTP', () => {
    let address: string;
    let server: ReturnType<typeof spawn>;
    beforeAll(async () => {
      const args = [COMMAND_LINE, 'mcp', '--root', root, '--http', '0'];
      server = spawn(process.execPath, args, { env: { ...env, IMAGE_ENHANCEMENT_MCP_TOKEN: TOKEN } });
      address = await new Promise<string>((resolve) => {
        server.stderr!.setEncoding('utf8').on('data', (text: string) => {
          const [found] = /http:\S+/.exec(text) ?? [];
          if (found !== undefined) resolve(found);
        });
      });
    });
    afterAll(() => server?.kill());

    /** Sends headers that `fetch` does not allow. */
    const statusOf = (headers: Record<string, string>, method = 'POST', path = '/mcp') =>
      new Promise<number>((resolve, reject) => {
        const url = new URL(path, address);
        const sent = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        };
        const outgoing = request(url, { method, headers: sent }, (response) => {
          response.resume();
          resolve(response.statusCode!);
        });
        outgoing.on('error', reject);
        outgoing.end(method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : undefined);
      });
    const authorization = `Bearer ${TOKEN}`;

    it('offers the same tools, with images and progress', async () => {
      const remote = await overHttp(address, { authorization });
      try {
        expect((await remote.listTools()).tools).toHaveLength(5);
        const seen: object[] = [];
        const options = { onprogress: (progress: object) => seen.push(progress) };
        const answer = await remote.callTool(
          { name: 'enhance_image', arguments: { image: 'photo.png' } },
          undefined,
          options,
        );
        expect(answer.content[1]).toMatchObject({ type: 'image', mimeType: 'image/png' });
        expect(seen.length).toBeGreaterThan(0);
      } finally {
        await remote.close();
      }
    });

    it('listens on this machine only', () => {
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    });

    it.each([
      [403, { host: 'evil.example', authorization }],
      [403, { origin: 'https://evil.example', authorization }],
      [403, { origin: 'null', authorization }],
      [401, {}],
      [401, { authorization: 'Bearer wrong' }],
      [200, { authorization }],
      [200, { authorization, origin: 'http://localhost:5173' }],
    ])('responds with %i to %j', async (status, headers) => {
      expect(await statusOf(headers)).toBe(status);
    });

    it('rejects other paths and methods', async () => {
      expect(await statusOf({ authorization }, 'GET')).toBe(405);
      expect(await statusOf({ authorization }, 'DELETE')).toBe(405);
      expect(await statusOf({ authorization }, 'POST', '/')).toBe(404);
    });

    it('cancels the job of a client that disconnects', async () => {
      const stop = new AbortController();
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'enhance_image', arguments: { image: 'busy.png', ...BUSY_ORDER } },
      });
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization,
      };
      const leaving = fetch(address, { method: 'POST', body, headers, signal: stop.signal }).then((answer) =>
        answer.text(),
      );
      leaving.catch(() => undefined);
      const id = await eventually('the job', async () => {
        const { json } = await client.request('GET', '/api/ai/enhance?status=processing');
        return { found: (json['data'] as { id: string }[])[0]?.id };
      });
      stop.abort();
      await expect(leaving).rejects.toThrow(/abort/i);
      expect(await client.until(id, 'failed')).toMatchObject({ error: { code: 'canceled' } });
    });
  });

  describe('refuses to start', () => {
    let installed: InstalledClient;
    beforeAll(async () => {
      installed = await InstalledClient.create();
    });
    afterAll(() => installed?.close());
    const start = (...args: string[]) => installed.run([process.execPath, COMMAND_LINE, 'mcp', ...args], env);

    it('on a public address without a token', async () => {
      expect(await start('--http', '0', '--host', '0.0.0.0')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/IMAGE_ENHANCEMENT_MCP_TOKEN/),
      });
    });

    it('with a root that is not a folder', async () => {
      expect(await start('--root', join(root, 'photo.png'))).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/--root must be a folder/),
      });
    });

    it('without the package that it needs', async () => {
      const program = installed.path('node_modules', '.bin', 'image-enhancement-client');
      expect(await installed.run([program, 'mcp'], env)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/npm install @modelcontextprotocol\/sdk/),
      });
    });
  });

  describe('is set up as its page shows', () => {
    it('by an agent', async () => {
      const { mcpServers } = JSON.parse(codeBlock(PAGE, 'Set up an agent', 'json')) as {
        mcpServers: Record<string, { command: string; args: string[]; env: Record<string, string> }>;
      };
      const { command, args, env: shown } = mcpServers['image-enhancement']!;
      expect([command, args[0]]).toEqual(['npx', 'image-enhancement-client']);
      const given = args.slice(1).map((arg) => (arg.startsWith('/') ? root : arg));
      const agent = await overStdio([COMMAND_LINE, ...given], { ...shown, ...env });
      expect((await agent.listTools()).tools).toHaveLength(5);
      await agent.close();
    });

    it('over HTTP', async () => {
      const shown = codeBlock(PAGE, 'Streamable HTTP', 'bash').trim().split(' ');
      expect(shown.splice(0, 2)).toEqual(['npx', 'image-enhancement-client']);
      const args = shown.map((arg) => (arg === './pictures' ? root : arg.replace(/^8811$/, '0')));
      const server = spawn(process.execPath, [COMMAND_LINE, ...args], { env });
      const [text] = (await once(server.stderr, 'data')) as [Buffer];
      expect(text.toString()).toMatch(
        /^Serving the Model Context Protocol at http:\/\/127\.0\.0\.1:\d+\/mcp\n$/,
      );
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    });

    it("with the installation commands of the client's README", () => {
      const [build, install] = codeBlocks('clients/js/README.md')[0]!.code.trim().split('\n');
      const shown = codeBlocks(PAGE)[0]!.code.trim().split('\n');
      expect(shown).toEqual([build, `${install} @modelcontextprotocol/sdk`]);
    });
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { offlineOpenApiDocument } from '../../src/app/docs/openapi-offline.js';
import { InstalledClient } from '../support/clients/installed-client.js';
import { solidFile } from '../support/images/flow-drawn.js';

const PYTHON = { PYTHONPATH: join(ROOT, 'clients', 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' };
const PROBLEM = JSON.stringify({ code: 'invalid_request', title: 'x', status: 400, detail: 'x', errors: [] });

interface Sample {
  readonly id: string;
  /** Method and path, with a pattern for each parameter. */
  readonly wanted: RegExp;
  readonly code: Readonly<Record<string, string>>;
}

/** Runs each program with its own base URL, and continues when it fails, since every request is refused. */
const RUN_JS = `for (const id of process.argv.slice(2)) {
  process.env.IMAGE_ENHANCEMENT_URL = process.env.SERVER + '/' + id;
  await import('./' + id + '.mjs').catch(() => undefined);
}`;
const RUN_PYTHON = `import os, runpy, sys
for each in sys.argv[1:]:
    os.environ["IMAGE_ENHANCEMENT_URL"] = os.environ["SERVER"] + "/" + each
    try:
        runpy.run_path(each + ".py")
    except Exception:
        pass
`;

/** The samples in `/openapi.json` must send the request of the operation that they belong to. */
describe('the samples of the API reference', () => {
  let samples: readonly Sample[];
  let installed: InstalledClient;
  let server: Server;
  let env: Record<string, string>;
  const seen = new Map<string, string>();

  beforeAll(async () => {
    samples = samplesOf(await offlineOpenApiDocument());
    installed = await InstalledClient.create();
    await installed.write('photo.jpg', await solidFile(20, 20, [10, 120, 200], 'jpeg'));
    server = createServer((request, response) => {
      const [, id, ...path] = request.url!.split('/');
      if (!seen.has(id!)) seen.set(id!, `${request.method} /${path.join('/')}`);
      request.resume();
      request.once('end', () =>
        response.writeHead(400, { 'content-type': 'application/problem+json' }).end(PROBLEM),
      );
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    env = { SERVER: address, IMAGE_ENHANCEMENT_API_KEY: `ies_${'x'.repeat(40)}` };
  });
  afterAll(async () => {
    server?.close();
    await installed?.close();
  });

  /** The samples that sent a different request, and what they sent. */
  function wrongRequests(): string[] {
    const wrong = samples.filter(({ id, wanted }) => !wanted.test(seen.get(id) ?? ''));
    const requests = wrong.map(({ id }) => `${id}: ${seen.get(id)}`);
    seen.clear();
    return requests;
  }

  it('exist for each operation in three languages', () => {
    expect(samples.length).toBeGreaterThan(40);
    for (const { id, code } of samples)
      expect(Object.keys(code), id).toEqual(['curl', 'JavaScript', 'Python']);
  });

  it('in JavaScript send the documented request', async () => {
    for (const { id, code } of samples) await installed.write(`${id}.mjs`, code['JavaScript']!);
    await installed.write('run.mjs', RUN_JS);
    const ids = samples.map(({ id }) => id);
    await installed.run([process.execPath, 'run.mjs', ...ids], env);
    expect(wrongRequests()).toEqual([]);
  });

  it('in Python send the documented request', async () => {
    for (const { id, code } of samples) await installed.write(`${id}.py`, code['Python']!);
    await installed.write('run.py', RUN_PYTHON);
    await installed.run(['python3', 'run.py', ...samples.map(({ id }) => id)], { ...env, ...PYTHON });
    expect(wrongRequests()).toEqual([]);
  });

  it('for a shell send the documented request', async () => {
    const lines = samples.map(({ id, code }) => `IMAGE_ENHANCEMENT_URL="$SERVER/${id}"\n${code['curl']}`);
    const { code, stderr } = await installed.run(['bash', '-uc', lines.join('\n')], env);
    expect(code, stderr).toBe(0);
    expect(wrongRequests()).toEqual([]);
  });
});

function samplesOf(document: Awaited<ReturnType<typeof offlineOpenApiDocument>>): Sample[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(
      item as Record<string, { operationId: string; 'x-codeSamples': Record<string, string>[] }>,
    ).map(([method, operation]) => ({
      id: operation.operationId,
      wanted: patternOf(method, path),
      code: Object.fromEntries(operation['x-codeSamples'].map(({ label, source }) => [label, source])),
    })),
  );
}

function patternOf(method: string, path: string): RegExp {
  const filled = path.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/?]+');
  return new RegExp(`^${method.toUpperCase()} ${filled}(?:[?]|$)`);
}

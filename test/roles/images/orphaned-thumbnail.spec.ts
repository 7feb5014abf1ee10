import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slowPng } from '../../../src/infra/image/testing/slow-png.js';
import { builtProgram } from '../../support/roles/flow-build.js';
import { descendantsOf, isAlive, type KnownProcess, signaled } from '../../support/roles/flow-processes.js';
import { eventually } from '../../support/roles/flow-wait.js';

const PARENT = (library: string) => `
import { readFileSync } from 'node:fs';
import { ThumbnailProcesses } from ${JSON.stringify(library)};
const limits = { sidePixels: 320, maxPixels: 5e7, maxDecodingBytes: 3e8 };
const processes = new ThumbnailProcesses(['/nowhere/data', '/nowhere/scratch'], console.warn);
await processes.make(readFileSync(process.argv[2]), limits, new AbortController().signal);
`;

describe.skipIf(process.platform !== 'linux')('a thumbnail process', () => {
  let dir: string;
  let left: KnownProcess | undefined;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ies-orphan-'));
    await writeFile(
      join(dir, 'parent.mjs'),
      PARENT(builtProgram('infra/image/thumbnails/thumbnail-process.js')),
    );
    await writeFile(join(dir, 'slow.png'), slowPng());
  });
  afterAll(async () => {
    if (left !== undefined && isAlive(left)) signaled(left.pid, 'SIGKILL');
    await rm(dir, { recursive: true });
  });

  it('ends when the api is killed, even in the middle of decoding', async () => {
    const parent = fork(join(dir, 'parent.mjs'), [join(dir, 'slow.png')], { execArgv: [] });
    // Stopped, so that it cannot end by itself.
    const child = await eventually('the decoder to be at work', () => {
      const found = descendantsOf(parent.pid!).find(({ command }) => command.startsWith('small picture'));
      if (found !== undefined) process.kill(found.pid, 'SIGSTOP');
      return { found, seen: descendantsOf(parent.pid!) };
    });
    left = child;
    parent.kill('SIGKILL');
    await eventually('the parent to be gone', () =>
      parent.signalCode === null ? { seen: parent.pid } : { found: true },
    );
    // Only the kernel can end it, since it is stopped.
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it('kills itself when its input closes, without waiting for the decoder', async () => {
    const file = slowPng();
    const order = { sizeBytes: file.length, sidePixels: 320, maxPixels: 5e7, maxDecodingBytes: 3e8 };
    const child = spawn(process.execPath, [builtProgram('main.thumbnail.js'), JSON.stringify(order)], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const ended = once(child, 'exit');
    child.stdin.end(file);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(said.join('')).toBe('{"kind":"ready"}\n');
  });
});

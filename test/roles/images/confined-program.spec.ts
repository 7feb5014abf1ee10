import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../../../src/infra/processes/bubblewrap.js';
import { type Confinement, confinements } from '../../../src/infra/processes/confinement.js';
import { spawnConfined } from '../../../src/infra/processes/spawn-confined.js';

const PROGRAM = fileURLToPath(new URL('../../support/roles/break-out.mjs', import.meta.url));

/** What the program managed to do under this confinement. */
async function attempt(confinement: Confinement): Promise<unknown> {
  const child = spawnConfined(
    confinement,
    {
      command: [process.execPath, PROGRAM],
      readable: [process.execPath, PROGRAM],
      dataBytes: 600_000_000,
      fileBytes: 0,
      hiddenDirs: ['/nonexistent/data', '/nonexistent/data/scratch'],
    },
    { env: { PATH: process.env['PATH'] }, cwd: '/' },
  );
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(said);
}

describe.skipIf(!hasBubblewrap())('a program under a confinement (needs bubblewrap)', () => {
  it.skipIf(!confinements().includes('seccomp'))(
    '"seccomp" allows threads, but no processes or sockets (needs x86-64 or arm64)',
    async () => {
      expect(await attempt('seccomp')).toEqual({
        process: expect.stringMatching(/^(EPERM|ENOSYS)$/),
        tcp: 'ENOSYS',
        datagram: 'ENOSYS',
        thread: 'started',
      });
    },
  );

  it('"sandbox" allows processes, threads and sockets inside it', async () => {
    expect(await attempt('sandbox')).toMatchObject({
      process: 'started',
      thread: 'started',
      datagram: 'created',
    });
  });
});

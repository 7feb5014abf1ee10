import { chmod, mkdir, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowSupervisor } from '../../support/roles/flow-supervisor.js';

/** Paths below a folder that are accessible to group or others, except for the database's own files. */
async function openPaths(folder: string): Promise<string[]> {
  const found = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === 'postgres' || entry.isSymbolicLink()) continue;
    const path = join(folder, entry.name);
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) found.push(`${path} ${(mode & 0o777).toString(8)}`);
    if (entry.isDirectory()) found.push(...(await openPaths(path)));
  }
  return found;
}

describe('files in DATA_DIR', () => {
  let dataDir: string;
  let supervisor: FlowSupervisor;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-modes-'));
    await chmod(dataDir, 0o755);
    // As an earlier version left them.
    await mkdir(join(dataDir, 'logs'), { mode: 0o755 });
    await writeFile(join(dataDir, 'logs', 'old.log'), 'x', { mode: 0o644 });
    supervisor = await FlowSupervisor.start(dataDir, { DATABSE_URL: 'postgres://me:secret@nowhere/x' });
  });
  afterAll(async () => {
    await supervisor.close();
    await removeDataDir(dataDir);
  });

  it('are accessible only to the user of the service, whether old or new', async () => {
    const line = await supervisor.ready();
    const [, baseUrl, key] = /^Ready: (\S+) — .* — demo key (ies_\w+)/.exec(line)!;
    const client = new FlowClient(baseUrl!, key!);
    const { url } = await client.upload(await solidFile(40, 30, [90, 120, 60]));
    expect(url).toContain('/files/');
    expect(await readdir(dataDir)).toEqual(
      expect.arrayContaining(['logs', 'objects', 'postgres.json', 'secrets.json', 'supervisor.lock']),
    );
    expect(await openPaths(dataDir)).toEqual([]);
    // Others can traverse the folder at most, but cannot list it.
    expect((await stat(dataDir)).mode & 0o066).toBe(0);
  });

  it('and a misspelled variable is reported once at startup, without its value', async () => {
    await supervisor.ready();
    const said = supervisor.errors + supervisor.output;
    expect(said.split('unknown variable DATABSE_URL, did you mean DATABASE_URL?')).toHaveLength(2);
    expect(said).not.toContain('secret@nowhere');
  });
});

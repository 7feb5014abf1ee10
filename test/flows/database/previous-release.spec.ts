import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_MODULES, ROOT } from '../../../scripts/lib/paths.mjs';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';

/** The newest release before this commit; undefined in a clone without tags. */
const previous = previousRelease();

describe.skipIf(previous === undefined)('the previous release (needs a tag v*)', () => {
  let dir: string;
  let service: FlowService;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ies-previous-'));
    const archive = execFileSync('git', ['archive', previous!], { cwd: ROOT, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', dir], { input: archive });
    await symlink(NODE_MODULES, join(dir, 'node_modules'));
    // Its types belong to its own package versions, which are not installed here.
    execFileSync(
      process.execPath,
      [join(NODE_MODULES, 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--noCheck'],
      { cwd: dir },
    );
    service = await FlowService.start({ dist: join(dir, 'dist'), roles: ['api'] });
  });
  afterAll(async () => {
    await service?.close();
    if (dir !== undefined) await rm(dir, { recursive: true, force: true });
  });

  it('runs its api on the schema of this version', async () => {
    const client = await service.client();
    const { url, id } = await client.upload(await solidFile(16, 16, [90, 80, 70]));
    const order = { operation: 'smooth_skin' } as const;
    const job = await client.create(url, order);
    for (const path of ['/api/ai/enhance', '/api/ai/sources', '/api/usage', '/health/ready'])
      expect((await client.request('GET', path)).status, path).toBe(200);
    expect(await client.job(job.id)).toMatchObject({ id: job.id, status: 'queued' });
    await client.deleteSource(id);
  });
});

function previousRelease(): string | undefined {
  const found = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD~1'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { photo } from '../../../src/infra/image/testing/still-images.js';
import { ThumbnailProcesses } from '../../../src/infra/image/thumbnails/thumbnail-process.js';
import { confinements } from '../../../src/infra/processes/confinement.js';
import { DecoderFixture } from '../../support/roles/decoder-fixture.js';

const LIMITS = { sidePixels: 320, maxPixels: 50_000_000, maxDecodingBytes: 300_000_000 };

/** The first program of every strong confinement. Killed once, as by the kernel when memory runs out. */
const KILLED_ONCE = (marker: string, path: string): string => `#!/bin/sh
if mkdir '${marker}' 2>/dev/null; then kill -KILL $$; fi
export PATH='${path}'
exec setpriv "$@"
`;

describe.skipIf(process.platform !== 'linux')('a start that is killed', () => {
  let fixture: DecoderFixture;
  let tools: string;
  beforeEach(async () => {
    fixture = await DecoderFixture.make();
    tools = mkdtempSync(join(tmpdir(), 'tools-'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    rmSync(tools, { recursive: true });
    await fixture.close();
  });

  const killOneStart = (): void => {
    const path = process.env['PATH']!;
    writeFileSync(join(tools, 'setpriv'), KILLED_ONCE(join(tools, 'killed'), path), { mode: 0o755 });
    vi.stubEnv('PATH', `${tools}:${path}`);
  };
  const thumbnails = (): ThumbnailProcesses =>
    new ThumbnailProcesses([fixture.dataDir, join(fixture.dataDir, 'scratch')], (text) =>
      fixture.warnings.push(text),
    );
  const make = async (processes: ThumbnailProcesses): Promise<Buffer> =>
    processes.make(await photo(60, 40, 'png'), LIMITS, new AbortController().signal);

  it('does not weaken the confinement of thumbnails', async () => {
    killOneStart();
    const processes = thumbnails();
    await expect(make(processes)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect((await make(processes)).toString('latin1', 0, 4)).toBe('RIFF');
    expect(processes.confinement).toBe(confinements()[0]);
    expect(fixture.warnings).toEqual([]);
  });

  it('does not weaken the confinement of decoders', async () => {
    killOneStart();
    const pool = fixture.pool();
    const idle = async (): Promise<void> => undefined;
    await expect(pool.use(idle)).rejects.toMatchObject({ code: 'service_unavailable' });
    await pool.use(idle);
    expect(pool.confinement).toBe(confinements()[0]);
    expect(fixture.warnings).toEqual([]);
  });

  it('differs from a missing program, which causes one warning', async () => {
    vi.stubEnv('PATH', tools);
    const processes = thumbnails();
    await make(processes);
    await make(processes);
    expect(processes.confinement).toBe('limits');
    expect(fixture.warnings).toHaveLength(1);
    expect(fixture.warnings[0]).toMatch(/^thumbnails are created under the confinement "limits"/);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from '../../infra/processes/confinement.js';
import { ImageProcessPool } from '../../infra/image/process/image-process-pool.js';
import type { ProcessPrivileges } from '../../infra/image/process/image-process-protocol.js';
import { type Finding, missing, note, ok, reasonOf } from './finding.js';

const DATA_BYTES = 600_000_000;

const IN_FORCE: Readonly<Record<Confinement, string>> = {
  seccomp:
    'only the system calls that it needs, a file system of its own, no network, no other process in sight, no capabilities, bounded memory',
  sandbox: 'a file system of its own, no network, no other process in sight, no capabilities, bounded memory',
  namespaces: 'no network, no other process in sight, data folders hidden, no capabilities, bounded memory',
  network:
    'no network, no other process in sight, no capabilities, bounded memory; data folders are not hidden',
  privileges: 'killed with its parent, bounded memory; no namespaces',
  limits: 'bounded memory only',
  none: 'a separate process only',
};

const WELL_CONFINED: ReadonlySet<Confinement> = new Set(['seccomp', 'sandbox', 'namespaces']);

/** Checks how untrusted images are confined while they are decoded. */
export async function examineDecoding(): Promise<readonly Finding[]> {
  const dir = await mkdtemp(join(tmpdir(), 'doctor-'));
  const pool = new ImageProcessPool('decoder', {
    processes: 1,
    maxWaiting: 0,
    dataBytes: DATA_BYTES,
    fileBytes: 0,
    hiddenDirs: [dir, join(dir, 'scratch')],
    // The finding reports it.
    warn: () => undefined,
  });
  try {
    const standing = await pool.use(async ({ process }) => process.standing!);
    return [findingOf(pool.confinement!, standing)];
  } catch (error) {
    return [
      missing('decoding', `decoder processes cannot start (${reasonOf(error)})`, 'See docs/decoding.md.'),
    ];
  } finally {
    await pool.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function findingOf(confinement: Confinement, { noNewPrivileges, uid }: ProcessPrivileges): Finding {
  const isNobody = process.getuid?.() === 0 && uid !== 0;
  const user = isNobody ? 'as nobody' : 'as this user';
  const privileges = noNewPrivileges ? 'no_new_privs' : 'may gain privileges';
  const filter = confinement === 'seccomp' ? '' : '; no system call filter';
  const text = `"${confinement}", ${user}, ${privileges}: ${IN_FORCE[confinement]}${filter}`;
  if (WELL_CONFINED.has(confinement)) return ok('decoding', text);
  const advice =
    'Allow unprivileged user namespaces, or start as root in the container; see docs/decoding.md.';
  return note('decoding', text, advice);
}

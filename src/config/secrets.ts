import { hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What one installation keeps to itself. */
export interface Secrets {
  /** Password of the embedded PostgreSQL's superuser; safe in an address without escaping. */
  readonly postgresPassword: string;
  /** Key of the signed file addresses, at least 32 characters. */
  readonly urlSigningKey: string;
  /** Key that seals the secrets kept in the database, at least 32 characters. */
  readonly sealingKey: string;
}

/** The file of an installation from before a field was added. */
type KeptSecrets = Omit<Secrets, 'sealingKey'> & Partial<Secrets>;

const FILE = 'secrets.json';
const FIELDS = ['postgresPassword', 'urlSigningKey'] as const;
const LATER_FIELDS = ['sealingKey'] as const;

/**
 * The secrets in `DATA_DIR/secrets.json` (mode 0600), made at the first call. Processes that start at the
 * same moment all get the same ones: the file appears whole, under its name, or not at all.
 * @throws Error with a sentence for people when the file exists but cannot be used.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, FILE);
  const kept = (await readSecrets(path)) ?? (await createSecrets(dataDir, path));
  return isComplete(kept) ? kept : completeSecrets(path, kept);
}

const isComplete = (kept: KeptSecrets): kept is Secrets => kept.sealingKey !== undefined;

/**
 * Gives an older installation what it lacks and keeps all else. The new key follows from an old one, so that
 * processes which do this at the same moment write the same file.
 */
async function completeSecrets(path: string, kept: KeptSecrets): Promise<Secrets> {
  const derived = hkdfSync('sha256', kept.urlSigningKey, kept.postgresPassword, 'sealing key', 32);
  const secrets = { ...kept, sealingKey: Buffer.from(derived).toString('base64url') };
  await withDraft(path, secrets, (draft) => rename(draft, path));
  return secrets;
}

async function readSecrets(path: string): Promise<KeptSecrets | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read. Run the service as the user who owns it.`, { cause: error });
  }
  const parsed = parseObject(text);
  const later = LATER_FIELDS.filter((field) => parsed?.[field] !== undefined);
  for (const field of [...FIELDS, ...later]) {
    const value = parsed?.[field];
    if (typeof value !== 'string' || value.length < 32) {
      throw new Error(`${path} is damaged: "${field}" is missing or too short. Restore it from a backup.`);
    }
  }
  return parsed as unknown as KeptSecrets;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function createSecrets(dataDir: string, path: string): Promise<KeptSecrets> {
  await mkdir(dataDir, { recursive: true });
  const secrets: Secrets = {
    postgresPassword: randomBytes(24).toString('base64url'),
    urlSigningKey: randomBytes(32).toString('base64url'),
    sealingKey: randomBytes(32).toString('base64url'),
  };
  try {
    // A hard link fails when the name is taken, so a process that was faster is never overwritten.
    await withDraft(path, secrets, (draft) => link(draft, path));
    return secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readSecrets(path))!;
  }
}

/** Lets `publish` give the whole file its name, once it is on the disk. */
async function withDraft(
  path: string,
  secrets: Secrets,
  publish: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
    await file.sync();
    await publish(draft);
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

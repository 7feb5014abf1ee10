import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** What one installation keeps to itself. */
export interface Secrets {
  /** Password of the embedded PostgreSQL's superuser; safe in an address without escaping. */
  readonly postgresPassword: string;
  /** Key of the signed file addresses, at least 32 characters. */
  readonly urlSigningKey: string;
}

const FILE = 'secrets.json';
const FIELDS = ['postgresPassword', 'urlSigningKey'] as const;

/**
 * The secrets in `DATA_DIR/secrets.json` (mode 0600), made at the first call. Processes that start at the
 * same moment all get the same ones: the file appears whole, under its name, or not at all.
 * @throws Error with a sentence for people when the file exists but cannot be used.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, FILE);
  return (await readSecrets(path)) ?? (await createSecrets(dataDir, path));
}

async function readSecrets(path: string): Promise<Secrets | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read. Run the service as the user who owns it.`, { cause: error });
  }
  const parsed = parseObject(text);
  for (const field of FIELDS) {
    const value = parsed?.[field];
    if (typeof value !== 'string' || value.length < 32) {
      throw new Error(`${path} is damaged: "${field}" is missing or too short. Restore it from a backup.`);
    }
  }
  return parsed as unknown as Secrets;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function createSecrets(dataDir: string, path: string): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true });
  const secrets: Secrets = {
    postgresPassword: randomBytes(24).toString('base64url'),
    urlSigningKey: randomBytes(32).toString('base64url'),
  };
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
    await file.sync();
    // A hard link fails when the name is taken, so a process that was faster is never overwritten.
    await link(draft, path);
    return secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readSecrets(path))!;
  } finally {
    await file.close();
    await unlink(draft);
  }
}

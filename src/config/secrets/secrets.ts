import { hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLinkUnsupported } from '../../kernel/errors/link-unsupported.js';
import { MIN_KEY_LENGTH } from '../variables/descriptor.js';

/** The secrets of one installation. */
export interface Secrets {
  /** Password of the embedded PostgreSQL's superuser; URL-safe without escaping. */
  readonly postgresPassword: string;
  /** Keys for signed file URLs, newest first, each at least 32 characters. */
  readonly urlSigningKeys: readonly string[];
  /** Keys that seal the secrets in the database, newest first, each at least 32 characters. */
  readonly sealingKeys: readonly string[];
  /** When a rotation added the newest key of each kind (ISO 8601); absent before the first rotation. */
  readonly rotatedAt: Readonly<Partial<Record<KeyField, string>>>;
  /** The kinds whose last key is new: every process accepts it, and none uses it yet. */
  readonly prepublished: readonly KeyField[];
}

/** The fields of the file that hold keys: one key as a string, or several as an array. */
export const KEY_FIELDS = ['urlSigningKey', 'sealingKey'] as const;
export type KeyField = (typeof KEY_FIELDS)[number];

/** The file as written, including unknown fields. */
interface SecretsFile {
  readonly postgresPassword: string;
  readonly urlSigningKey: string | readonly string[];
  /** Absent in files from before this field was added. */
  readonly sealingKey?: string | readonly string[];
  readonly rotatedAt?: Secrets['rotatedAt'];
  readonly prepublished?: Secrets['prepublished'];
}

const FILE = 'secrets.json';

export function secretsPath(dataDir: string): string {
  return join(dataDir, FILE);
}

/**
 * The secrets in `DATA_DIR/secrets.json` (mode 0600), created on the first call. Processes that start at the same time
 * get the same secrets: the file appears complete or not at all.
 * @throws Error with a readable message when the file exists but cannot be used, or cannot be created
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = secretsPath(dataDir);
  const kept = (await readSecrets(path)) ?? (await createSecrets(dataDir, path));
  if (kept.sealingKey !== undefined) return secretsOf(kept);
  const completed = withSealingKey(kept);
  await withDraft(path, completed, (draft) => rename(draft, path));
  return secretsOf(completed);
}

/**
 * The secrets in the file, which is not created or changed; undefined if it does not exist.
 * @throws Error with a readable message when the file cannot be used
 */
export async function storedSecrets(dataDir: string): Promise<Secrets | undefined> {
  const kept = await readSecrets(secretsPath(dataDir));
  if (kept === undefined) return undefined;
  return secretsOf(kept.sealingKey === undefined ? withSealingKey(kept) : kept);
}

/**
 * Appends a new key, which is accepted from now on and not used until `writeKeys` puts it first. The caller prevents
 * concurrent changes.
 */
export async function prepublishKey(dataDir: string, field: KeyField, key: string): Promise<void> {
  await changeFile(dataDir, (kept) => ({
    ...kept,
    [field]: [kept[field] ?? [], key].flat(),
    prepublished: [...without(kept.prepublished, field), field],
  }));
}

/**
 * Replaces the keys of one kind and keeps everything else. The file is replaced atomically, so a reader sees either the
 * old or the new keys. The caller prevents concurrent changes.
 * @param keys newest first
 * @param rotatedAt when the newest key was added
 */
export async function writeKeys(
  dataDir: string,
  field: KeyField,
  keys: readonly string[],
  rotatedAt: Date,
): Promise<void> {
  await changeFile(dataDir, (kept) => ({
    ...kept,
    [field]: keys.length === 1 ? keys[0]! : keys,
    rotatedAt: { ...kept.rotatedAt, [field]: rotatedAt.toISOString() },
    prepublished: without(kept.prepublished, field),
  }));
}

async function changeFile(dataDir: string, change: (kept: SecretsFile) => SecretsFile): Promise<void> {
  const path = secretsPath(dataDir);
  const kept = await readSecrets(path);
  if (kept === undefined) throw new Error(`${path} does not exist. Start the service once first.`);
  await withDraft(path, change(kept), (draft) => rename(draft, path));
}

function without(fields: readonly KeyField[] = [], field: KeyField): readonly KeyField[] {
  return fields.filter((other) => other !== field);
}

function secretsOf(kept: SecretsFile): Secrets {
  const { postgresPassword, urlSigningKey, sealingKey, rotatedAt, prepublished } = kept;
  return {
    postgresPassword,
    urlSigningKeys: [urlSigningKey].flat(),
    sealingKeys: [sealingKey ?? []].flat(),
    rotatedAt: rotatedAt ?? {},
    prepublished: prepublished ?? [],
  };
}

/**
 * The secrets of an older installation with the field that they lack. The new key is derived from an old one, so that
 * processes that do this at the same time get the same key.
 */
function withSealingKey(kept: SecretsFile): SecretsFile {
  const [newest] = [kept.urlSigningKey].flat();
  const derived = hkdfSync('sha256', newest!, kept.postgresPassword, 'sealing key', 32);
  return { ...kept, sealingKey: Buffer.from(derived).toString('base64url') };
}

async function readSecrets(path: string): Promise<SecretsFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read. Run the service as the user who owns it.`, { cause: error });
  }
  const parsed = parseObject(text);
  const faulty = faultyField(parsed);
  if (faulty !== undefined)
    throw new Error(`${path} is damaged: "${faulty}" is missing or too short. Restore it from a backup.`);
  return parsed as unknown as SecretsFile;
}

/** The first invalid field. Only `sealingKey` may be absent. */
function faultyField(parsed: Record<string, unknown> | undefined): string | undefined {
  if (!isKey(parsed?.['postgresPassword'])) return 'postgresPassword';
  return KEY_FIELDS.find((field) => {
    const value = parsed?.[field];
    if (value === undefined) return field !== 'sealingKey';
    return Array.isArray(value) ? value.length === 0 || !value.every(isKey) : !isKey(value);
  });
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.length >= MIN_KEY_LENGTH;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A new key: 256 random bits in base64url. */
export function newKey(): string {
  return randomBytes(32).toString('base64url');
}

async function createSecrets(dataDir: string, path: string): Promise<SecretsFile> {
  await mkdir(dataDir, { recursive: true });
  const secrets: SecretsFile = {
    postgresPassword: randomBytes(24).toString('base64url'),
    urlSigningKey: newKey(),
    sealingKey: newKey(),
  };
  try {
    // A hard link fails when the name exists, so the file of a faster process is never overwritten.
    await withDraft(path, secrets, (draft) => link(draft, path));
    return secrets;
  } catch (error) {
    // A rename could replace the keys of another process, which already uses them.
    if (isLinkUnsupported(error))
      throw new Error(
        `${path} cannot be created, because its file system has no hard links. Set SEALING_KEY and URL_SIGNING_KEY, copy an existing secrets.json, or use a DATA_DIR on another file system.`,
        { cause: error },
      );
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readSecrets(path))!;
  }
}

/** Makes the complete file available under its name, after it is flushed to disk. */
async function withDraft(
  path: string,
  secrets: SecretsFile,
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

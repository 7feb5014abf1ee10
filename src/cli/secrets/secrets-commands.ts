import { setTimeout as delay } from 'node:timers/promises';
import { auditLog } from '../../audit/audit-log.js';
import { AccountError } from '../../auth/account-error.js';
import { KEY_WATCH_MS } from '../../config/secrets/key-sources.js';
import { newKey, prepublishKey, writeKeys } from '../../config/secrets/secrets.js';
import type { Database, Queryable } from '../../infra/database/database.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import type { AdminCommand, Administered } from '../administered.js';
import { resealAll } from './reseal.js';
import { assessRetirement, useLastKey } from './retirement.js';
import { chosenKinds, fingerprint, type KeyKind, type ServiceKeys, serviceKeys } from './service-keys.js';

/** Running processes read the keys every `KEY_WATCH_MS`, and a little later when they are busy. */
const PICK_UP_MS = 4 * KEY_WATCH_MS;

/** A unique number of an advisory lock: two operators must not change the keys at the same time. */
const SECRETS_LOCK = 7_421_950_118;

/** Shows the keys, the number of values that need each of them, and when the older ones can be retired. */
export function secretsStatus(which: string | undefined): AdminCommand {
  const kinds = chosenKinds(which);
  return (installation) => Promise.all(kinds.map((kind) => statusOf(installation, kind)));
}

/**
 * Adds a new key, puts it first once every process accepts it, and reseals everything with it. With several keys, it
 * adds none and finishes the rotation, so it can be repeated after an interruption.
 */
export function rotateSecrets(which: string | undefined): AdminCommand {
  const kinds = chosenKinds(which);
  return (installation) =>
    alone(installation.database, async () => {
      const rows = [];
      for (const kind of kinds) rows.push(await rotate(installation, kind));
      return rows;
    });
}

/**
 * Removes the older keys. The command throws an AccountError while something still needs them.
 * @param isForced removes signing keys whose URLs are still valid
 */
export function retireSecrets(which: string | undefined, isForced: boolean): AdminCommand {
  const kinds = chosenKinds(which);
  return (installation) =>
    alone(installation.database, async () => {
      const rows = [];
      for (const kind of kinds) rows.push(await retire(installation, kind, isForced));
      return rows;
    });
}

async function statusOf({ database, config }: Administered, kind: KeyKind): Promise<Record<string, unknown>> {
  const given = await serviceKeys(config, kind);
  const { counts, reason } = await assessRetirement(database, config, given);
  return {
    ...heading(given),
    keys: given.keys.map((key, index) => ({
      fingerprint: fingerprint(key),
      role: roleOf(given, index),
      ...(counts !== undefined && { sealedSecrets: counts.byKey[index] }),
    })),
    ...(counts !== undefined && { unreadableSecrets: counts.unreadable }),
    olderKeys: given.keys.length === 1 ? 'none' : (reason ?? retirable(given)),
  };
}

function roleOf({ keys, hasUnusedKey, isInEnvironment }: ServiceKeys, index: number): string {
  // The last key of a variable may be older, or a new one that no process uses yet.
  if (isInEnvironment) return index === 0 ? 'used' : 'accepted';
  if (hasUnusedKey && index === keys.length - 1) return 'not used yet';
  return index === 0 ? 'newest' : 'older';
}

async function rotate(installation: Administered, kind: KeyKind): Promise<Record<string, unknown>> {
  const { database, config } = installation;
  const before = await serviceKeys(config, kind);
  const isNewNeeded = before.keys.length === 1;
  if (isNewNeeded && before.isInEnvironment) {
    const { variable } = before;
    return {
      ...heading(before),
      newKey: newKey(),
      next: `Nothing was changed. Set ${variable}=<current key>,<new key> on every host and restart every process. Then set ${variable}=<new key>,<current key>, restart every process again, and run "secrets rotate" again.`,
    };
  }
  if (isNewNeeded) await prepublishKey(config.dataDir, before.field, newKey());
  const isAdding = isNewNeeded || before.hasUnusedKey;
  if (isAdding) await useNewKey(installation, kind);
  const now = await serviceKeys(config, kind);
  const added = isAdding ? { addedKey: fingerprint(now.keys[0]!) } : {};
  const resealed =
    kind === 'sealing' ? { resealedRows: await resealAll(database, new SecretBox(now.keys)) } : {};
  const { reason, counts } = await assessRetirement(database, config, now);
  return {
    ...heading(now),
    ...added,
    ...resealed,
    ...(counts !== undefined && { unreadableSecrets: counts.unreadable }),
    olderKeys: reason ?? retirable(now),
  };
}

/** Puts the new key first. A process that does not know it yet could not verify or open what another one made with it. */
async function useNewKey({ database, config }: Administered, kind: KeyKind): Promise<void> {
  await delay(PICK_UP_MS);
  const { field, keys } = await serviceKeys(config, kind);
  const older = keys.slice(0, -1);
  await writeKeys(config.dataDir, field, [keys.at(-1)!, ...older], new Date());
  await recordKeys(database, 'secrets.rotated', { kind, keys: older });
  // Until then, processes may seal with an older key.
  if (kind === 'sealing') await delay(PICK_UP_MS);
}

async function retire(
  { database, config }: Administered,
  kind: KeyKind,
  isForced: boolean,
): Promise<Record<string, unknown>> {
  const given = await serviceKeys(config, kind);
  if (given.keys.length === 1) return { ...heading(given), removedKeys: 0 };
  const { reason } = await assessRetirement(database, config, given);
  // Without its sealing key a secret is lost, so `--force` applies to signed URLs only.
  if (reason !== undefined && !(isForced && kind === 'signing')) {
    const force = kind === 'signing' ? ` To end those addresses now, ${wayToForce(given)}.` : '';
    const need = given.isInEnvironment ? 'may still be' : 'are still';
    throw new AccountError(`The older ${kind} keys ${need} needed. ${reason}${force}`);
  }
  if (given.isInEnvironment) {
    const next =
      reason === undefined ? retirable(given) : `To end those addresses now, ${wayToForce(given)}.`;
    return { ...heading(given), removedKeys: 0, next };
  }
  const [newest, ...older] = given.keys;
  await writeKeys(config.dataDir, given.field, [newest!], given.rotatedAt ?? new Date());
  await recordKeys(database, 'secrets.retired', given);
  return { ...heading(given), removedKeys: older.length };
}

/** The keys are in a file, so the audit event cannot be in the same transaction. It follows immediately. */
async function recordKeys(
  database: Database,
  action: 'secrets.rotated' | 'secrets.retired',
  { kind, keys }: Pick<ServiceKeys, 'kind' | 'keys'>,
): Promise<void> {
  const details = { kind, keysBefore: keys.map(fingerprint) };
  await auditLog.record(database, { action, accountId: null, details });
}

function heading({ kind, isInEnvironment, variable, field }: ServiceKeys): Record<string, unknown> {
  return { kind, keptIn: isInEnvironment ? variable : `DATA_DIR/secrets.json (${field})` };
}

function retirable(given: ServiceKeys): string {
  if (!given.isInEnvironment) return 'No longer needed: run "secrets retire".';
  return `Nothing is sealed with a key after the first. If the last key is new: ${useLastKey(given)}. If it is older, it is no longer needed: leave only the first key in ${given.variable} on every host, and restart every process.`;
}

/** This command cannot change variables. */
function wayToForce({ isInEnvironment, variable }: ServiceKeys): string {
  return isInEnvironment
    ? `leave only the first key in ${variable} on every host, and restart every process`
    : 'add --force';
}

async function alone<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const locked = async (tx: Queryable): Promise<T> => {
    const [row] = await tx.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
      SECRETS_LOCK,
    ]);
    if (!row!.locked) throw new AccountError('Another command is changing the keys. Wait until it ends.');
    return work();
  };
  // The work uses other connections, and resealing may take minutes.
  return database.transaction(locked, { idleMs: 0 });
}

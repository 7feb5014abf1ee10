import type { Config } from '../../config/env.js';
import type { Queryable } from '../../infra/database/database.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { countSealed, type SealedCounts } from './reseal.js';
import type { ServiceKeys } from './service-keys.js';

/** Covers processes that have not seen the new key, and transactions that started before it. */
const SETTLE_MS = 60_000;

/** Whether the older keys of one kind can be removed, and details about them. */
export interface Retirement {
  /** Why they are still needed; undefined if they can be removed. */
  readonly reason: string | undefined;
  readonly counts: SealedCounts | undefined;
}

/** Checks whether any value still needs an older key. */
export async function assessRetirement(
  on: Queryable,
  config: Config,
  given: ServiceKeys,
): Promise<Retirement> {
  if (given.hasUnusedKey)
    return {
      reason: 'The new key is not used yet: run "secrets rotate" again to finish the rotation.',
      counts: undefined,
    };
  return given.kind === 'signing'
    ? { reason: signingReason(config, given), counts: undefined }
    : sealingRetirement(on, given);
}

/** The older keys are needed until the last URL that they signed can have expired. */
function signingReason({ fileUrlTtlSeconds }: Config, given: ServiceKeys): string | undefined {
  if (given.keys.length === 1) return undefined;
  if (given.isInEnvironment)
    return `This command cannot know whether the last key is new, or when every process was restarted. If it is new: ${useLastKey(given)}. If it is older, it is needed for ${fileUrlTtlSeconds} s (FILE_URL_TTL_SECONDS) after every process was restarted with the first key at the front, because file addresses that it signed are valid until then.`;
  if (given.rotatedAt === undefined)
    return `File addresses signed with an older key are valid for up to ${fileUrlTtlSeconds} s (FILE_URL_TTL_SECONDS) after the new key was added. This command cannot know when that was.`;
  const endMs = given.rotatedAt.getTime() + fileUrlTtlSeconds * 1_000 + SETTLE_MS;
  if (endMs <= Date.now()) return undefined;
  return `File addresses signed with an older key are valid until ${new Date(endMs).toISOString()}.`;
}

/** The steps for a new key at the end of the list in a variable, which no process uses yet. */
export function useLastKey({ variable }: Pick<ServiceKeys, 'variable'>): string {
  return `once every process was restarted with this list, move the key to the front of ${variable} on every host, restart every process again, and run "secrets rotate"`;
}

async function sealingRetirement(on: Queryable, given: ServiceKeys): Promise<Retirement> {
  const { keys, rotatedAt, isInEnvironment } = given;
  const counts = await countSealed(on, new SecretBox(keys), keys.length);
  const older = counts.byKey.slice(1).reduce((sum, count) => sum + count, 0);
  if (older > 0) {
    const sealed = older === 1 ? '1 secret is' : `${older} secrets are`;
    const reason = isInEnvironment
      ? `${sealed} sealed with a key after the first. If your newest key is the first on every host, run "secrets rotate".`
      : `${sealed} still sealed with an older key: run "secrets rotate".`;
    return { counts, reason };
  }
  const endMs = (rotatedAt?.getTime() ?? 0) + SETTLE_MS;
  const reason =
    keys.length > 1 && endMs > Date.now()
      ? `Running processes may still use an older key until ${new Date(endMs).toISOString()}.`
      : undefined;
  return { counts, reason };
}

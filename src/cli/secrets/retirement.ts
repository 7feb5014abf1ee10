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
  if (given.rotatedAt === undefined) {
    const from = given.isInEnvironment
      ? 'every process was restarted with the new key'
      : 'the new key was added';
    return `File addresses signed with an older key are valid for up to ${fileUrlTtlSeconds} s (FILE_URL_TTL_SECONDS) after ${from}. This command cannot know when that was.`;
  }
  const endMs = given.rotatedAt.getTime() + fileUrlTtlSeconds * 1_000 + SETTLE_MS;
  if (endMs <= Date.now()) return undefined;
  return `File addresses signed with an older key are valid until ${new Date(endMs).toISOString()}.`;
}

async function sealingRetirement(on: Queryable, given: ServiceKeys): Promise<Retirement> {
  const { keys, rotatedAt } = given;
  const counts = await countSealed(on, new SecretBox(keys), keys.length);
  const older = counts.byKey.slice(1).reduce((sum, count) => sum + count, 0);
  if (older > 0)
    return {
      counts,
      reason: `${older === 1 ? '1 secret is' : `${older} secrets are`} still sealed with an older key: run "secrets rotate".`,
    };
  const endMs = (rotatedAt?.getTime() ?? 0) + SETTLE_MS;
  const reason =
    keys.length > 1 && endMs > Date.now()
      ? `Running processes may still use an older key until ${new Date(endMs).toISOString()}.`
      : undefined;
  return { counts, reason };
}

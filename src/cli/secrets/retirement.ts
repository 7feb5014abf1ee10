import type { Config } from '../../config/env.js';
import type { Queryable } from '../../infra/database/database.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { countSealed, type SealedCounts } from './reseal.js';
import type { ServiceKeys } from './service-keys.js';

/** For processes that have not seen the new key yet, and transactions that began before. */
const SETTLE_MS = 60_000;

/** Whether the older keys of one kind may be removed, and what is known about them. */
export interface Retirement {
  /** Why they are still needed; undefined when they may go. */
  readonly reason: string | undefined;
  readonly counts: SealedCounts | undefined;
}

/** Looks whether anything still needs a key other than the newest one. */
export async function assessRetirement(
  on: Queryable,
  config: Config,
  given: ServiceKeys,
): Promise<Retirement> {
  return given.kind === 'signing'
    ? { reason: signingReason(config, given), counts: undefined }
    : sealingRetirement(on, given);
}

/** A signed address carries its own end, so the older keys are needed for as long as one of theirs may live. */
function signingReason({ fileUrlTtlSeconds }: Config, given: ServiceKeys): string | undefined {
  if (given.keys.length === 1) return undefined;
  if (given.rotatedAt === undefined) {
    const from = given.isInEnvironment
      ? 'every process was restarted with the new key'
      : 'the new key was added';
    return `File addresses signed with an older key are valid until ${fileUrlTtlSeconds} s (FILE_URL_TTL_SECONDS) after ${from}. This command cannot know when that was.`;
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
    return { counts, reason: `${older} secrets are still sealed with an older key: run "secrets rotate".` };
  const endMs = (rotatedAt?.getTime() ?? 0) + SETTLE_MS;
  const reason =
    keys.length > 1 && endMs > Date.now()
      ? `Running processes may still use an older key until ${new Date(endMs).toISOString()}.`
      : undefined;
  return { counts, reason };
}

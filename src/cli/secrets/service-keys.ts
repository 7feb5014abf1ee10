import { createHash } from 'node:crypto';
import type { Config } from '../../config/env.js';
import { type KeyField, loadSecrets } from '../../config/secrets/secrets.js';
import { UsageError } from '../command-line.mjs';

export type KeyKind = 'signing' | 'sealing';

/** The keys of one kind of this installation. */
export interface ServiceKeys {
  readonly kind: KeyKind;
  /** Newest first. */
  readonly keys: readonly string[];
  readonly variable: 'URL_SIGNING_KEY' | 'SEALING_KEY';
  readonly field: KeyField;
  /** Whether they are set in the environment, which only the operator can change. */
  readonly isInEnvironment: boolean;
  /** When the newest key was first used; undefined if unknown. */
  readonly rotatedAt: Date | undefined;
  /** Whether the last key is new and not used yet, because a rotation is in progress or was interrupted. */
  readonly hasUnusedKey: boolean;
}

const KINDS = {
  signing: { variable: 'URL_SIGNING_KEY', field: 'urlSigningKey' },
  sealing: { variable: 'SEALING_KEY', field: 'sealingKey' },
} as const;

/** @param which `signing`, `sealing`, or undefined for both. @throws UsageError for anything else */
export function chosenKinds(which: string | undefined): readonly KeyKind[] {
  if (which === undefined) return ['signing', 'sealing'];
  if (which !== 'signing' && which !== 'sealing')
    throw new UsageError(`"${which}" is neither "signing" nor "sealing".`);
  return [which];
}

/** @throws Error with a sentence for operators if `DATA_DIR/secrets.json` cannot be used */
export async function serviceKeys(config: Config, kind: KeyKind): Promise<ServiceKeys> {
  const { variable, field } = KINDS[kind];
  const given = kind === 'signing' ? config.signingKeys : config.sealingKeys;
  const base = { kind, variable, field } as const;
  if (given !== undefined)
    return { ...base, keys: given, isInEnvironment: true, rotatedAt: undefined, hasUnusedKey: false };
  const secrets = await loadSecrets(config.dataDir);
  const at = secrets.rotatedAt[field];
  return {
    ...base,
    keys: kind === 'signing' ? secrets.urlSigningKeys : secrets.sealingKeys,
    isInEnvironment: false,
    rotatedAt: at === undefined ? undefined : new Date(at),
    hasUnusedKey: secrets.prepublished.includes(field),
  };
}

/** Eight hexadecimal digits that identify a key and reveal nothing about it. */
export function fingerprint(key: string): string {
  return createHash('sha256').update('key fingerprint\n').update(key).digest('hex').slice(0, 8);
}

import { t } from '@lingui/core/macro';
import type { Key } from '../schema.js';

export type Scope = Key['scopes'][number];

/** The default scopes of a new key. */
export const DEFAULT_SCOPES: readonly Scope[] = ['image:read', 'image:write', 'ai:enhance'];

export const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  'image:read': t`Read image jobs and sources`,
  'image:write': t`Upload and process images`,
  'ai:enhance': t`Upload sources, create and poll AI jobs`,
  'webhook:manage': t`Create and inspect outbound webhooks`,
};

export const SCOPES = Object.keys(SCOPE_TEXTS) as readonly Scope[];

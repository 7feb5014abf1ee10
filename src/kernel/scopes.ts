export const SCOPES = ['image:read', 'image:write', 'ai:enhance', 'webhook:manage'] as const;
export type Scope = (typeof SCOPES)[number];

/** Default scopes of a new key; `webhook:manage` is opt-in. */
export const DEFAULT_SCOPES: readonly Scope[] = ['image:read', 'image:write', 'ai:enhance'];

export const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  'image:read': 'Read image jobs and sources',
  'image:write': 'Upload and process images',
  'ai:enhance': 'Upload sources, create and poll AI jobs',
  'webhook:manage': 'Create and inspect outbound webhooks',
};

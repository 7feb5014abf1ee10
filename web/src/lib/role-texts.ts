import { t } from '@lingui/core/macro';
import type { Role } from '../api/members/members.js';

/** The roles, the most powerful first. */
export const ROLES: readonly Role[] = ['owner', 'admin', 'developer', 'viewer', 'billing'];

export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: t`Owner`,
  admin: t`Admin`,
  developer: t`Developer`,
  viewer: t`Viewer`,
  billing: t`Billing`,
};

export const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  owner: t`Manage everything, including owners.`,
  admin: t`Manage everything except owners and the plan.`,
  developer: t`Enhance images, and manage API keys and webhooks.`,
  viewer: t`See images, jobs and usage.`,
  billing: t`See usage, and request another plan.`,
};

import { t } from '@lingui/core/macro';
import {
  IconChartBar,
  IconCpu,
  IconHistory,
  IconKey,
  IconLayoutGrid,
  IconListDetails,
  IconPhoto,
  IconPhotoSpark,
  IconStack2,
  IconUsers,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';

import type { Permission } from '../../api/session/session.js';

export interface NavItem {
  readonly path: string;
  readonly label: string;
  readonly icon: TablerIcon;
  /** The permission that the page requires. It is hidden from roles without it. */
  readonly permission: Permission;
  /** The key to press after "g". */
  readonly key: string;
}

/** The pages, in the order of their importance. */
export const NAV_ITEMS: readonly NavItem[] = [
  { path: '/playground', permission: 'images:write', label: t`Playground`, icon: IconPhotoSpark, key: 'p' },
  { path: '/results', permission: 'images:read', label: t`Results`, icon: IconLayoutGrid, key: 'r' },
  { path: '/jobs', permission: 'images:read', label: t`Jobs`, icon: IconListDetails, key: 'j' },
  { path: '/batches', permission: 'images:read', label: t`Batches`, icon: IconStack2, key: 'b' },
  { path: '/photos', permission: 'images:read', label: t`Photos`, icon: IconPhoto, key: 'o' },
  { path: '/keys', permission: 'keys:read', label: t`API keys`, icon: IconKey, key: 'k' },
  { path: '/usage', permission: 'usage:read', label: t`Usage`, icon: IconChartBar, key: 'u' },
  { path: '/webhooks', permission: 'webhooks:read', label: t`Webhooks`, icon: IconWebhook, key: 'w' },
  { path: '/models', permission: 'images:read', label: t`Models`, icon: IconCpu, key: 'm' },
  { path: '/members', permission: 'members:read', label: t`Members`, icon: IconUsers, key: 't' },
  { path: '/activity', permission: 'audit:read', label: t`Activity`, icon: IconHistory, key: 'a' },
];

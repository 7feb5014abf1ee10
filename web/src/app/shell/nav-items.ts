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
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';

export interface NavItem {
  readonly path: string;
  readonly label: string;
  readonly icon: TablerIcon;
  /** Pressed after "g". */
  readonly key: string;
}

/** The pages in the order in which people need them. */
export const NAV_ITEMS: readonly NavItem[] = [
  { path: '/playground', label: t`Playground`, icon: IconPhotoSpark, key: 'p' },
  { path: '/results', label: t`Results`, icon: IconLayoutGrid, key: 'r' },
  { path: '/jobs', label: t`Jobs`, icon: IconListDetails, key: 'j' },
  { path: '/batches', label: t`Batches`, icon: IconStack2, key: 'b' },
  { path: '/photos', label: t`Photos`, icon: IconPhoto, key: 'o' },
  { path: '/keys', label: t`API keys`, icon: IconKey, key: 'k' },
  { path: '/usage', label: t`Usage`, icon: IconChartBar, key: 'u' },
  { path: '/webhooks', label: t`Webhooks`, icon: IconWebhook, key: 'w' },
  { path: '/models', label: t`Models`, icon: IconCpu, key: 'm' },
  { path: '/activity', label: t`Activity`, icon: IconHistory, key: 'a' },
];

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
  { path: '/playground', label: 'Playground', icon: IconPhotoSpark, key: 'p' },
  { path: '/results', label: 'Results', icon: IconLayoutGrid, key: 'r' },
  { path: '/jobs', label: 'Jobs', icon: IconListDetails, key: 'j' },
  { path: '/batches', label: 'Batches', icon: IconStack2, key: 'b' },
  { path: '/photos', label: 'Photos', icon: IconPhoto, key: 'o' },
  { path: '/keys', label: 'API keys', icon: IconKey, key: 'k' },
  { path: '/usage', label: 'Usage', icon: IconChartBar, key: 'u' },
  { path: '/webhooks', label: 'Webhooks', icon: IconWebhook, key: 'w' },
  { path: '/models', label: 'Models', icon: IconCpu, key: 'm' },
  { path: '/activity', label: 'Activity', icon: IconHistory, key: 'a' },
];

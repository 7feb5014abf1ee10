import { t } from '@lingui/core/macro';
import { memo } from 'react';
import { ScrollRegion } from '../../../components/pages/scroll-region.js';
import { StatusBadge, type StatusBadgeProps } from '../../../components/status/status-badge.js';
import { formatBytes } from '../../../lib/format.js';
import type { ManyItem } from './many-item.js';
import classes from './many-list.module.css';

const BADGES: Readonly<Record<ManyItem['state'], StatusBadgeProps>> = {
  waiting: { tone: 'calm', label: t`Ready` },
  uploading: { tone: 'busy', label: t`Uploading` },
  stored: { tone: 'good', label: t`Uploaded` },
  failed: { tone: 'bad', label: t`Failed` },
};

export interface ManyListProps {
  readonly items: readonly ManyItem[];
}

/** The photos by name, each with the state of its upload or the reason of its failure. */
export function ManyList({ items }: ManyListProps) {
  return (
    <ScrollRegion label={t`Files`} className={classes['root']}>
      <ul className={classes['list']}>
        {items.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </ul>
    </ScrollRegion>
  );
}

const Row = memo(function Row({ item: { file, state, reason } }: { readonly item: ManyItem }) {
  return (
    <li className={classes['row']}>
      <span className={classes['name']}>{file.name}</span>
      <span className={classes['size']}>{formatBytes(file.size)}</span>
      <StatusBadge {...BADGES[state]} />
      {reason !== null && <span className={classes['reason']}>{reason}</span>}
    </li>
  );
});

import { t } from '@lingui/core/macro';
import type { UsageHistory } from '../../api/schema.js';
import { formatNumber, formatPercent } from '../../lib/format.js';
import { keysByUse, sum } from './chart-data.js';
import classes from './key-shares.module.css';
import { NothingYet } from './nothing-yet.js';

export interface KeySharesProps {
  readonly history: UsageHistory;
}

/** The usage of each key in the period. */
export function KeyShares({ history }: KeySharesProps) {
  const keys = keysByUse(history);
  const total = sum(keys.map((key) => key.total));
  if (keys.length === 0) return <NothingYet text={t`No enhancements in this period.`} />;
  return (
    <ul className={classes['list']} aria-label={t`Enhancements by key`}>
      {keys.map((key) => (
        <li key={key.id}>
          <span className={classes['name']}>{key.name}</span>
          <span className={classes['number']}>
            {formatNumber(key.total)} <small>({formatPercent(key.total / total)})</small>
          </span>
          <span className={classes['track']} aria-hidden>
            <span style={{ width: `${(key.total / total) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

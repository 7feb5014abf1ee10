import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { ConsoleAccount } from '../../../api/operator/schema.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { formatBytes, formatNumber, planLabel } from '../../../lib/format.js';
import { STATUS_TEXTS } from './account-texts.js';
import classes from './accounts-page.module.css';

export interface AccountRowProps {
  readonly account: ConsoleAccount;
}

/** One account: its name, plan, usage, and last use. */
export function AccountRow({ account }: AccountRowProps) {
  const { id, name, plan, limits, enhancementsUsed, storageUsedBytes, lastActiveAt } = account;
  const isFull = enhancementsUsed >= limits.enhancements || storageUsedBytes >= limits.storageBytes;
  return (
    <li className={classes['row']}>
      <div className={classes['who']}>
        <Link to={`/operator/accounts/${id}`} className={classes['name'] ?? ''}>
          {name}
        </Link>
        <span className={classes['id']}>{id}</span>
      </div>
      <span className={classes['plan']}>
        {planLabel(plan)}
        {account.operator && <span className={classes['role']}>{t`Operator`}</span>}
      </span>
      <span className={classes['usage']} data-full={isFull}>
        <span>
          <Trans>
            {formatNumber(enhancementsUsed)} of {formatNumber(limits.enhancements)} enhancements
          </Trans>
        </span>
        <span>
          <Trans>
            {formatBytes(storageUsedBytes)} of {formatBytes(limits.storageBytes)}
          </Trans>
        </span>
      </span>
      <span className={classes['status']}>
        {account.status === 'suspended' && <StatusBadge tone="bad" label={STATUS_TEXTS.suspended} />}
        {account.status === 'active' &&
          (lastActiveAt === null ? t`Never used` : <RelativeTime iso={lastActiveAt} />)}
      </span>
    </li>
  );
}

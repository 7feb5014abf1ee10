import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { Card } from '../../../../components/pages/card.js';
import { StatusBadge } from '../../../../components/status/status-badge.js';
import { RelativeTime } from '../../../../components/times/relative-time.js';
import { formatDateTime, formatNumber } from '../../../../lib/format.js';
import { STATUS_TEXTS } from '../account-texts.js';
import classes from './account-detail.module.css';

/** The service stops counting at this number. */
const MAX_COUNTED = 300;

export interface AccountFactsProps {
  readonly account: ConsoleAccountDetail;
}

/** What is known about the account at a glance. */
export function AccountFacts({ account }: AccountFactsProps) {
  const { counts, status, createdAt, lastActiveAt, owner, organizations } = account;
  const facts: readonly (readonly [name: string, value: ReactNode, key?: string])[] = [
    [
      t`Status`,
      <StatusBadge key="" tone={status === 'active' ? 'good' : 'bad'} label={STATUS_TEXTS[status]} />,
    ],
    ...(owner === null
      ? [[t`Email address`, account.isEmailVerified ? t`Verified` : t`Not verified`] as const]
      : [[t`Primary owner`, <AccountLink key="" id={owner.id} name={owner.email} />] as const]),
    [t`Created`, formatDateTime(createdAt)],
    [t`Last activity`, lastActiveAt === null ? t`Never used` : <RelativeTime key="" iso={lastActiveAt} />],
    [t`Password`, account.hasPassword ? t`Set` : t`Not set`],
    [t`Second factor`, account.hasTwoFactor ? t`On` : t`Off`],
    [t`Active API keys`, countText(counts.keys)],
    [t`Sessions`, countText(counts.sessions)],
    [t`Members`, countText(counts.members + 1)],
    [t`Webhook endpoints`, countText(counts.endpoints)],
    [t`Waiting jobs`, countText(counts.queuedJobs)],
    [t`Result cache`, account.resultCache ? t`On` : t`Off`],
    ...organizations.map(
      ({ id, name, status: its }) =>
        [
          t`Owns the organization`,
          <>
            <AccountLink id={id} name={name} /> {its === 'suspended' && t`(suspended)`}
          </>,
          id,
        ] as const,
    ),
  ];
  return (
    <Card id="details" title={t`Details`}>
      <dl className={classes['facts']}>
        {facts.map(([name, value, key]) => (
          <div key={key ?? name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function AccountLink({ id, name }: { readonly id: string; readonly name: string }) {
  return <Link to={`/operator/accounts/${id}`}>{name}</Link>;
}

function countText(count: number): string {
  return count < MAX_COUNTED ? formatNumber(count) : t`${formatNumber(count)} or more`;
}

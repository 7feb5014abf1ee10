import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { Card } from '../../../../components/pages/card.js';
import { Meter } from '../../../../components/status/meter.js';
import { formatBytes, formatNumber, planLabel } from '../../../../lib/format.js';
import classes from './account-detail.module.css';
import { SetPlanModal } from './set-plan-modal.js';

export interface PlanCardProps {
  readonly account: ConsoleAccountDetail;
}

/** The plan, its usage, and a button that changes it. */
export function PlanCard({ account }: PlanCardProps) {
  const [isEditing, setIsEditing] = useState(false);
  const { plan, limits, ownLimits, enhancementsUsed, storageUsedBytes } = account;
  return (
    <Card
      id="plan"
      title={planLabel(plan)}
      hint={
        <>
          {ownLimits === null ? t`With the plan's limits.` : t`With custom limits.`}{' '}
          {t`Requests per minute per key: ${formatNumber(limits.rpm)}. API keys: ${formatNumber(limits.keys)}.`}
        </>
      }
      aside={
        <Button variant="default" onClick={() => setIsEditing(true)}>
          {t`Change plan…`}
        </Button>
      }
    >
      <div className={classes['meters']}>
        <Meter
          label={t`Enhancements this month`}
          value={enhancementsUsed}
          limit={limits.enhancements}
          format={formatNumber}
        />
        <Meter label={t`Storage`} value={storageUsedBytes} limit={limits.storageBytes} format={formatBytes} />
      </div>
      {isEditing && <SetPlanModal account={account} onClose={() => setIsEditing(false)} />}
    </Card>
  );
}

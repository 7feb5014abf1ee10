import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Group, Text } from '@mantine/core';
import type { Usage } from 'image-enhancement-client';
import { Notice } from '../../components/notices/notice.js';
import { Card } from '../../components/pages/card.js';
import { Meter } from '../../components/status/meter.js';
import { formatBytes, formatNumber, formatUtcDay, planLabel } from '../../lib/format.js';
import { PlanRequestNotice } from './plan-request/plan-request-notice.js';
import { RequestPlan } from './plan-request/request-plan.js';
import classes from './plan-usage.module.css';

export interface PlanUsageProps {
  readonly usage: Usage;
}

/** Enhancements and storage against the limits of the plan, with a note when one is used up. */
export function PlanUsage({ usage }: PlanUsageProps) {
  const { enhancements, storage, plan } = usage;
  const full = fullText(enhancements.remaining <= 0, storage.remainingBytes <= 0);
  return (
    <Card
      id="plan"
      title={planLabel(plan)}
      aside={
        <Group gap="md">
          <Anchor size="sm" href="/docs/plans">
            {t`Compare plans`}
          </Anchor>
          <RequestPlan current={plan} />
        </Group>
      }
    >
      <PlanRequestNotice current={plan} />
      {full !== null && (
        <div className={classes['full']}>
          <Notice tone="bad" title={full}>
            <Text size="sm">
              <Trans>
                New jobs get 403 until you have room again. There are no overage charges. An owner or billing
                member can request another plan.
              </Trans>
            </Text>
          </Notice>
        </div>
      )}
      <div className={classes['meters']}>
        <Meter
          label={t`Enhancements this month`}
          value={enhancements.used}
          limit={enhancements.limit}
          format={formatNumber}
          note={t`Resets on ${formatUtcDay(enhancements.resetsAt)}`}
        />
        <Meter
          label={t`Storage`}
          value={storage.usedBytes}
          limit={storage.limitBytes}
          format={formatBytes}
          note={t`Sources and results. Delete jobs or photos to free up space.`}
        />
      </div>
    </Card>
  );
}

function fullText(noEnhancements: boolean, noStorage: boolean): string | null {
  if (noEnhancements && noStorage) return t`You've used all of your monthly enhancements and storage`;
  if (noEnhancements) return t`You've used all of your monthly enhancements`;
  return noStorage ? t`You've used all of your storage` : null;
}

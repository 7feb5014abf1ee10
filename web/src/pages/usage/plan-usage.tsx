import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import type { Usage } from 'image-enhancement-client';
import { Notice } from '../../components/notices/notice.js';
import { Meter } from '../../components/status/meter.js';
import { formatBytes, formatDay, formatNumber, planLabel } from '../../lib/format.js';
import card from './card.module.css';
import classes from './plan-usage.module.css';

export interface PlanUsageProps {
  readonly usage: Usage;
}

/** Enhancements and storage against the plan; says so where one is used up. */
export function PlanUsage({ usage }: PlanUsageProps) {
  const { enhancements, storage, plan } = usage;
  const full = [
    enhancements.remaining <= 0 && 'monthly enhancements',
    storage.remainingBytes <= 0 && 'storage',
  ].filter((name) => name !== false);
  return (
    <Paper withBorder component="section" aria-labelledby="plan" className={card['card']}>
      <Group justify="space-between" mb="md">
        <Title order={2} id="plan">
          {planLabel(plan)}
        </Title>
        <Anchor size="sm" href="/docs/plans">
          Compare plans
        </Anchor>
      </Group>
      {full.length > 0 && (
        <div className={classes['full']}>
          <Notice tone="bad" title={`You've used all of your ${full.join(' and ')}`}>
            <Text size="sm">
              New jobs get 403 until you have room again. There are no overage charges.{' '}
              <Anchor href="/docs/plans" size="sm">
                See plans
              </Anchor>
            </Text>
          </Notice>
        </div>
      )}
      <div className={classes['meters']}>
        <Meter
          label="Enhancements this month"
          value={enhancements.used}
          limit={enhancements.limit}
          format={formatNumber}
          note={`Resets on ${formatDay(enhancements.resetsAt)}`}
        />
        <Meter
          label="Storage"
          value={storage.usedBytes}
          limit={storage.limitBytes}
          format={formatBytes}
          note="Sources and results. Delete jobs or photos to free up space."
        />
      </div>
    </Paper>
  );
}

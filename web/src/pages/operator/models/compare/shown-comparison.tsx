import { t } from '@lingui/core/macro';
import { Loader, Stack, Text } from '@mantine/core';
import { isUnfinished, useComparison } from '../../../../api/operator/comparisons.js';
import type { VersionComparison } from '../../../../api/operator/schema.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { Loading } from '../../../../components/notices/loading.js';
import { Notice } from '../../../../components/notices/notice.js';
import { Card } from '../../../../components/pages/card.js';
import { STATUS_BADGES } from '../../../../components/status/job-badges.js';
import { StatusBadge } from '../../../../components/status/status-badge.js';
import { RelativeTime } from '../../../../components/times/relative-time.js';
import classes from './compare-versions.module.css';
import { ComparisonFigures } from './comparison-figures.js';
import { ComparisonPictures } from './comparison-pictures.js';
import { levelText } from './comparison-texts.js';

export interface ShownComparisonProps {
  readonly operation: string;
  readonly id: string;
}

/** A comparison: its progress, and then its results. */
export function ShownComparison({ operation, id }: ShownComparisonProps) {
  const comparison = useComparison(operation, id);
  if (comparison.data === undefined)
    return comparison.isError ? (
      <ErrorState error={comparison.error} onRetry={() => void comparison.refetch()} />
    ) : (
      <Loading height={420} />
    );
  const { a, b, status, results, failure, createdAt } = comparison.data;
  return (
    <Card
      id="comparison"
      title={t`Versions ${a} and ${b}`}
      hint={
        <>
          {levelText(comparison.data)} · <RelativeTime iso={createdAt} />
        </>
      }
      aside={
        <div role="status">
          <StatusBadge {...STATUS_BADGES[status]} />
        </div>
      }
    >
      {isUnfinished(comparison.data) && <Waiting status={status} />}
      {status === 'failed' && (
        <Notice tone="bad" title={t`The comparison failed`}>
          {failure}
        </Notice>
      )}
      {results !== null && (
        <Stack gap="md">
          <ComparisonPictures comparison={comparison.data} results={results} />
          <ComparisonFigures comparison={comparison.data} results={results} />
        </Stack>
      )}
    </Card>
  );
}

/** As high as the pictures that replace it. */
function Waiting({ status }: Pick<VersionComparison, 'status'>) {
  const isRunning = status === 'processing';
  return (
    <div className={classes['waiting']}>
      <Loader size="sm" aria-hidden />
      <Text size="sm" fw={500}>
        {isRunning ? t`Running both versions` : t`Waiting for a worker`}
      </Text>
      <Text size="sm" c="dimmed">
        {isRunning
          ? t`Each is loaded, warmed up and run a few times.`
          : t`It begins as soon as a worker with both versions is free.`}
      </Text>
    </div>
  );
}

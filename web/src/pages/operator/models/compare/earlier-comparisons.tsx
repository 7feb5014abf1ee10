import { t } from '@lingui/core/macro';
import { Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useComparisons } from '../../../../api/operator/comparisons.js';
import type { VersionComparison } from '../../../../api/operator/schema.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { Loading } from '../../../../components/notices/loading.js';
import { RowList } from '../../../../components/pages/row-list.js';
import { STATUS_BADGES } from '../../../../components/status/job-badges.js';
import { StatusBadge } from '../../../../components/status/status-badge.js';
import { RelativeTime } from '../../../../components/times/relative-time.js';
import { differenceText, levelText } from './comparison-texts.js';
import classes from './compare-versions.module.css';

export interface EarlierComparisonsProps {
  readonly operation: string;
  readonly shownId: string | null;
}

/** The operator's own comparisons of the last day, with links to their pictures. */
export function EarlierComparisons({ operation, shownId }: EarlierComparisonsProps) {
  const comparisons = useComparisons(operation);
  if (comparisons.isPending) return <Loading height={120} />;
  if (comparisons.data === undefined)
    return <ErrorState error={comparisons.error} onRetry={() => void comparisons.refetch()} />;
  if (comparisons.data.data.length === 0) return null;
  return (
    <section aria-labelledby="earlier-comparisons">
      <Title order={2} id="earlier-comparisons">
        {t`Earlier comparisons`}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t`Yours of the last 24 hours. Only you can see them.`}
      </Text>
      <RowList>
        {comparisons.data.data.map((one) => (
          <Row key={one.id} comparison={one} isShown={one.id === shownId} />
        ))}
      </RowList>
    </section>
  );
}

interface RowProps {
  readonly comparison: VersionComparison;
  readonly isShown: boolean;
}

function Row({ comparison, isShown }: RowProps) {
  const { id, a, b, status, results, createdAt } = comparison;
  const difference = results?.difference ?? null;
  return (
    <li>
      <Link
        to={`?comparison=${id}`}
        preventScrollReset
        className={classes['row'] ?? ''}
        aria-current={isShown ? 'true' : undefined}
      >
        <span className={classes['what']}>{t`Versions ${a} and ${b}`}</span>
        <span className={classes['detail']}>
          {levelText(comparison)}
          {difference !== null && ` · ${differenceText(difference)}`}
        </span>
        <span className={classes['status']}>
          <StatusBadge {...STATUS_BADGES[status]} />
        </span>
        <span className={classes['when']}>
          <RelativeTime iso={createdAt} />
        </span>
      </Link>
    </li>
  );
}

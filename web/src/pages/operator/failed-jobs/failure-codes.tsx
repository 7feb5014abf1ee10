import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { FailureCounts } from '../../../api/operator/schema.js';
import { formatNumber } from '../../../lib/format.js';
import classes from './failed-jobs.module.css';

export interface FailureCodesProps {
  readonly counts: FailureCounts;
  readonly chosen: string;
  /** Called with an empty code for all reasons. */
  readonly onChoose: (code: string) => void;
}

/** The number of failures for each reason. Each is a filter. */
export function FailureCodes({ counts, chosen, onChoose }: FailureCodesProps) {
  if (counts.data.length === 0) return null;
  return (
    <section aria-label={t`Reasons`} className={classes['codes']}>
      {counts.data.map(({ code, jobs }) => (
        <button
          key={code}
          type="button"
          className={classes['code']}
          aria-pressed={code === chosen}
          onClick={() => onChoose(code === chosen ? '' : code)}
        >
          <code>{code}</code>
          <span className={classes['count']}>{formatNumber(jobs)}</span>
        </button>
      ))}
      {counts.isCapped && (
        <Text size="sm" c="dimmed">
          {t`Of the newest 2,000 failed jobs.`}
        </Text>
      )}
    </section>
  );
}

import { t } from '@lingui/core/macro';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { ErrorState } from '../../../components/notices/error-state.js';
import { isTooLate, type Uncanceled } from './enhancement-state.js';

export interface NotCanceledProps {
  readonly fault: Uncanceled;
  readonly onRetry: (jobId: string) => void;
}

/** Tells a user who pressed Cancel that it failed, and where to find the job. */
export function NotCanceled({ fault: { error, jobId }, onRetry }: NotCanceledProps) {
  const canRetry = jobId !== null && !isTooLate(error);
  return (
    <ErrorState error={error} onRetry={canRetry ? () => onRetry(jobId) : undefined}>
      <Text size="sm">
        {jobId === null
          ? t`A job may have been created before you canceled, and it may count toward your quota.`
          : t`The job was not canceled, and it may count toward your quota.`}{' '}
        <Anchor component={Link} to={jobId === null ? '/jobs' : `/jobs/${jobId}`} inherit>
          {jobId === null ? t`View jobs` : t`View job`}
        </Anchor>
      </Text>
    </ErrorState>
  );
}

import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { JobError } from '../../api/job.js';

export interface RunFailureProps {
  readonly error: JobError;
}

/** Why a job of the playground gave no result, and what to try. */
export function RunFailure({ error }: RunFailureProps) {
  const isCanceled = error.code === 'canceled';
  return (
    <Alert
      role="alert"
      color={isCanceled ? 'gray' : 'red'}
      icon={<IconAlertTriangle size={18} />}
      title={isCanceled ? 'Canceled' : 'No result'}
    >
      <Text size="sm">{error.message}</Text>
      {!isCanceled && (
        <Text size="sm" mt={4}>
          {error.retryable ? 'Try again.' : 'Try another photo, operation or level.'}
        </Text>
      )}
    </Alert>
  );
}

import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { JobError } from '../../api/job.js';

export interface JobFaultProps {
  readonly error: JobError;
}

/** Why there is no result, and whether the same again can help. */
export function JobFault({ error }: JobFaultProps) {
  const isCanceled = error.code === 'canceled';
  return (
    <Alert
      color={isCanceled ? 'gray' : 'red'}
      icon={<IconAlertTriangle size={18} />}
      title={isCanceled ? 'Canceled' : 'No result'}
    >
      <Text size="sm">{error.message}</Text>
      {!isCanceled && (
        <Text size="sm" mt={4}>
          {error.retryable
            ? 'Running it again can succeed.'
            : 'The same photo and settings will fail again; change one of them.'}
        </Text>
      )}
      <Text size="xs" mt={6}>
        <code>{error.code}</code>
      </Text>
    </Alert>
  );
}

import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { isRefused } from '../../../api/problem.js';
import { ErrorState } from '../../../components/notices/error-state.js';

export interface UnopenedPhotoProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Why the photo in the URL is not shown. */
export function UnopenedPhoto({ error, onRetry }: UnopenedPhotoProps) {
  return (
    <ErrorState error={error} onRetry={isRefused(error) ? undefined : onRetry}>
      <Text size="sm">{t`The photo couldn't be opened.`}</Text>
    </ErrorState>
  );
}

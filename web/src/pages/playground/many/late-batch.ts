import { t } from '@lingui/core/macro';
import { ApiError } from 'image-enhancement-client';
import { notifications } from '@mantine/notifications';
import { problemOf } from '../../../api/problem.js';
import { showDone } from '../../../components/notices/show-done.js';

/** Reports a batch that was created after the user had left the page. */
export function showCreated(): void {
  showDone(t`The batch was created and is listed under Batches.`);
}

/** Reports the error of such a batch. It stays until the user closes it. Without a refusal, the outcome is unknown. */
export function showNotCreated(error: Error): void {
  const { title, detail } = problemOf(error);
  const isRefused = error instanceof ApiError && error.status < 500;
  notifications.show({
    title: isRefused ? t`The batch couldn't be created` : t`The batch may not have been created`,
    message: isRefused
      ? `${title}. ${detail}`
      : t`The response didn't arrive. Look under Batches before you try again.`,
    color: 'red',
    autoClose: false,
    closeButtonProps: { 'aria-label': t`Close` },
  });
}

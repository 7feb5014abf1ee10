import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { problemOf } from '../../../api/problem.js';

/** Reports a batch that was created after the user had left the page. */
export function showCreated(): void {
  notifications.show({
    message: t`The batch was created and is listed under Batches.`,
    color: 'accent',
    closeButtonProps: { 'aria-label': t`Close` },
  });
}

/** Reports the error of such a batch. It stays until the user closes it. */
export function showNotCreated(error: Error): void {
  const { title, detail } = problemOf(error);
  notifications.show({
    title: t`The batch couldn't be created`,
    message: `${title}. ${detail}`,
    color: 'red',
    autoClose: false,
    closeButtonProps: { 'aria-label': t`Close` },
  });
}

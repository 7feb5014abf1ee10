import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';

/** Says that something was done that the page does not show, or shows only by what disappears. */
export function showDone(message: string): void {
  notifications.show({ message, color: 'accent', closeButtonProps: { 'aria-label': t`Close` } });
}

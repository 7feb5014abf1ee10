import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useDialogHold } from './use-dialog-hold.js';

export interface DialogButtonsProps {
  /** The label of the second button: a verb and its object. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Whether the action is in progress. Meanwhile, the dialog stays open; see `useDialogHold`. */
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  /** Without it, the button submits the form around it. */
  readonly onConfirm?: () => void;
  readonly onCancel: () => void;
  /** Focuses Cancel when the dialog opens, for a question without a field. */
  readonly startsAtCancel?: boolean;
}

/** The last row of a dialog: Cancel, and the button that performs the action. */
export function DialogButtons(props: DialogButtonsProps) {
  const { action, isDangerous = false, isBusy, isDisabled = false, onConfirm, onCancel } = props;
  const isHeld = useDialogHold(isBusy);
  return (
    <Group justify="flex-end" gap="sm">
      <Button
        variant="default"
        disabled={isHeld}
        onClick={onCancel}
        {...(props.startsAtCancel === true && { 'data-autofocus': true })}
      >
        {t`Cancel`}
      </Button>
      <Button
        type={onConfirm === undefined ? 'submit' : 'button'}
        loading={isBusy}
        disabled={isDisabled}
        onClick={onConfirm}
        {...(isDangerous && { color: 'red.9' })}
      >
        {action}
      </Button>
    </Group>
  );
}

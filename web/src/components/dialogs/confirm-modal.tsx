import { Stack, Text } from '@mantine/core';
import { ErrorState } from '../notices/error-state.js';
import { Dialog } from './dialog.js';
import { DialogButtons } from './dialog-buttons.js';

export interface ConfirmModalProps {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly text: string;
  /** The label of the button: a verb and its object. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmModal(props: ConfirmModalProps) {
  const { title, text, action, isBusy, error, onConfirm, onClose } = props;
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack gap="md">
        {error !== null && <ErrorState error={error} />}
        <Text size="sm">{text}</Text>
        <DialogButtons
          action={action}
          isDangerous
          isBusy={isBusy}
          onConfirm={onConfirm}
          onCancel={onClose}
          startsAtCancel
        />
      </Stack>
    </Dialog>
  );
}

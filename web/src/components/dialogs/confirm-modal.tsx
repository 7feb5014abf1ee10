import { Stack, Text } from '@mantine/core';
import { ErrorState } from '../notices/error-state.js';
import { Dialog } from './dialog.js';
import { DialogButtons } from './dialog-buttons.js';

export interface ConfirmModalProps {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly text: string;
  /** The button's words: a verb and what it is done to. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** One more question before something that cannot be taken back. */
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

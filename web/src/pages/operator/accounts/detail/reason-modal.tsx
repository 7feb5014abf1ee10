import { t } from '@lingui/core/macro';
import { Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../../../components/notices/error-state.js';

const MAX_REASON = 300;

export interface ReasonModalProps {
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  /** Where the customer reads the reason. */
  readonly description: string;
  /** The label of the button. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** More fields, below the reason. */
  readonly children?: ReactNode;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onConfirm: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks for a reason, which is shown to the customer. */
export function ReasonModal(props: ReasonModalProps) {
  const {
    title,
    text,
    description,
    action,
    isDangerous = false,
    isBusy,
    error,
    onConfirm,
    onClose,
    children,
  } = props;
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onConfirm(reason.trim());
  };
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {error !== null && <ErrorState error={error} />}
          <Text size="sm">{text}</Text>
          <Textarea
            label={t`Reason`}
            description={description}
            autosize
            minRows={2}
            maxLength={MAX_REASON}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {children}
          <DialogButtons
            action={action}
            isDangerous={isDangerous}
            isBusy={isBusy}
            isDisabled={reason.trim() === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

import { t } from '@lingui/core/macro';
import { useCreateKey } from '../../api/keys/keys.js';
import { SecretShown } from '../../components/text/secret-shown.js';
import { CreateKeyForm, type KeyRoom } from './create-key-form.js';
import { Dialog } from '../../components/dialogs/dialog.js';

export interface CreateKeyModalProps {
  /** The modes that have room for one more key. */
  readonly room: KeyRoom;
  readonly onClose: () => void;
}

/** Shows the form, then the key once. A click outside the dialog does not discard the key. */
export function CreateKeyModal({ room, onClose }: CreateKeyModalProps) {
  const create = useCreateKey();
  const isShowing = create.isSuccess;
  return (
    <Dialog
      onClose={onClose}
      title={isShowing ? t`Your new key` : t`Create an API key`}
      isPrecious={isShowing}
    >
      {isShowing ? (
        <SecretShown secret={create.data.key} kind="key" onDone={onClose} />
      ) : (
        <CreateKeyForm
          room={room}
          isBusy={create.isPending}
          error={create.error}
          onSubmit={(key) => create.mutate(key)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

import { useCreateKey } from '../../api/keys/keys.js';
import { SecretShown } from '../../components/text/secret-shown.js';
import { CreateKeyForm } from './create-key-form.js';
import { Dialog } from '../../components/dialogs/dialog.js';

export interface CreateKeyModalProps {
  readonly onClose: () => void;
}

/** First the form, then the key, once. A click beside the dialog does not throw the key away. */
export function CreateKeyModal({ onClose }: CreateKeyModalProps) {
  const create = useCreateKey();
  const isShowing = create.isSuccess;
  return (
    <Dialog onClose={onClose} title={isShowing ? 'Your new key' : 'Create an API key'} isPrecious={isShowing}>
      {isShowing ? (
        <SecretShown secret={create.data.key} noun="key" onDone={onClose} />
      ) : (
        <CreateKeyForm
          isBusy={create.isPending}
          error={create.error}
          onSubmit={(key) => create.mutate(key)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

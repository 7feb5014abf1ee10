import { t } from '@lingui/core/macro';
import { useUpdateKey } from '../../api/keys/keys.js';
import type { Key } from '../../api/schema.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { CreateKeyForm } from './create-key-form.js';

export interface EditKeyModalProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

/** Changes the settings of a key in use. The key itself stays the same. */
export function EditKeyModal({ apiKey, onClose }: EditKeyModalProps) {
  const update = useUpdateKey(apiKey.id);
  return (
    <Dialog onClose={onClose} title={t`Edit ${apiKey.name}`}>
      <CreateKeyForm
        apiKey={apiKey}
        isBusy={update.isPending}
        error={update.error}
        onSubmit={(changes) => update.mutate(changes, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  );
}

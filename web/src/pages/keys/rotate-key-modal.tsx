import { t } from '@lingui/core/macro';
import { useRotateKey } from '../../api/keys/keys.js';
import type { Key } from '../../api/schema.js';
import { RotateForm } from '../../components/dialogs/rotate-form.js';
import { SecretShown } from '../../components/text/secret-shown.js';
import { Dialog } from '../../components/dialogs/dialog.js';

export interface RotateKeyModalProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

/**
 * Creates a new key with the same name and scopes. The old one stays valid for a while, so that programs keep working.
 */
export function RotateKeyModal({ apiKey, onClose }: RotateKeyModalProps) {
  const rotate = useRotateKey(apiKey.id);
  const isShowing = rotate.isSuccess;
  return (
    <Dialog
      onClose={onClose}
      title={isShowing ? t`The new key` : t`Rotate ${apiKey.name}`}
      isPrecious={isShowing}
    >
      {isShowing ? (
        <SecretShown secret={rotate.data.key} kind="key" onDone={onClose} />
      ) : (
        <RotateForm
          text={t`You get a new key with the same name and scopes. Put it in place while the old one still works.`}
          keepLabel={t`Keep the old key working for`}
          action={t`Create a new key`}
          isBusy={rotate.isPending}
          error={rotate.error}
          onSubmit={(overlapSeconds) => rotate.mutate(overlapSeconds)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

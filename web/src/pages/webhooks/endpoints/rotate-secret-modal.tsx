import { t } from '@lingui/core/macro';
import type { Endpoint } from 'image-enhancement-client';
import { useRotateSecret } from '../../../api/webhooks/webhook-endpoints.js';
import { RotateForm } from '../../../components/dialogs/rotate-form.js';
import { SecretShown } from '../../../components/text/secret-shown.js';
import { Dialog } from '../../../components/dialogs/dialog.js';

export interface RotateSecretModalProps {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

/** Creates a new signing secret. Until the old one expires, both sign, so that no delivery fails verification. */
export function RotateSecretModal({ endpoint, onClose }: RotateSecretModalProps) {
  const rotate = useRotateSecret(endpoint.id);
  const isShowing = rotate.isSuccess;
  return (
    <Dialog
      onClose={onClose}
      title={isShowing ? t`New signing secret` : t`Rotate signing secret`}
      isPrecious={isShowing}
    >
      {isShowing ? (
        <SecretShown secret={rotate.data.secret} kind="secret" onDone={onClose} />
      ) : (
        <RotateForm
          text={t`While both secrets work, each delivery has two signatures. Your receiver can accept either.`}
          keepLabel={t`Keep the old secret working for`}
          action={t`Create a new secret`}
          isBusy={rotate.isPending}
          error={rotate.error}
          onSubmit={(overlapSeconds) => rotate.mutate(overlapSeconds)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

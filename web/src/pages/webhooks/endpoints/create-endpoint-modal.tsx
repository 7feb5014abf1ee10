import { t } from '@lingui/core/macro';
import { useCreateEndpoint } from '../../../api/webhooks/webhook-endpoints.js';
import { SecretShown } from '../../../components/text/secret-shown.js';
import { EndpointForm } from './endpoint-form.js';
import { Dialog } from '../../../components/dialogs/dialog.js';

export interface CreateEndpointModalProps {
  readonly onClose: () => void;
}

/** Shows the form, then the signing secret once. */
export function CreateEndpointModal({ onClose }: CreateEndpointModalProps) {
  const create = useCreateEndpoint();
  const isShowing = create.isSuccess;
  return (
    <Dialog
      onClose={onClose}
      title={isShowing ? t`Signing secret` : t`Add an endpoint`}
      isPrecious={isShowing}
    >
      {isShowing ? (
        <SecretShown secret={create.data.secret} kind="secret" onDone={onClose} />
      ) : (
        <EndpointForm
          url=""
          events={null}
          description=""
          action={t`Add endpoint`}
          isBusy={create.isPending}
          error={create.error}
          onSubmit={(endpoint) => create.mutate(endpoint)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

import { useCreateEndpoint } from '../../../api/webhooks/webhook-endpoints.js';
import { SecretShown } from '../../../components/text/secret-shown.js';
import { EndpointForm } from './endpoint-form.js';
import { Dialog } from '../../../components/dialogs/dialog.js';

export interface CreateEndpointModalProps {
  readonly onClose: () => void;
}

/** First the form, then the signing secret, once. */
export function CreateEndpointModal({ onClose }: CreateEndpointModalProps) {
  const create = useCreateEndpoint();
  const isShowing = create.isSuccess;
  return (
    <Dialog onClose={onClose} title={isShowing ? 'Signing secret' : 'Add an endpoint'} isPrecious={isShowing}>
      {isShowing ? (
        <SecretShown secret={create.data.secret} noun="signing secret" onDone={onClose} />
      ) : (
        <EndpointForm
          url=""
          events={null}
          description=""
          action="Add endpoint"
          isBusy={create.isPending}
          error={create.error}
          onSubmit={(endpoint) => create.mutate(endpoint)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

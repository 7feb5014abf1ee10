import { t } from '@lingui/core/macro';
import type { Endpoint } from 'image-enhancement-client';
import { useChangeEndpoint } from '../../../api/webhooks/webhook-endpoints.js';
import { EndpointForm } from './endpoint-form.js';
import { Dialog } from '../../../components/dialogs/dialog.js';

export interface EditEndpointModalProps {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

export function EditEndpointModal({ endpoint, onClose }: EditEndpointModalProps) {
  const change = useChangeEndpoint(endpoint.id);
  return (
    <Dialog onClose={onClose} title={t`Edit endpoint`}>
      <EndpointForm
        url={endpoint.url}
        events={endpoint.events}
        description={endpoint.description ?? ''}
        action={t`Save`}
        isBusy={change.isPending}
        error={change.error}
        onSubmit={(changes) => change.mutate(changes, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  );
}

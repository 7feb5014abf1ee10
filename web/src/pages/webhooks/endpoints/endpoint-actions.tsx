import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Endpoint } from 'image-enhancement-client';
import {
  useChangeEndpoint,
  useDeleteEndpoint,
  usePingEndpoint,
} from '../../../api/webhooks/webhook-endpoints.js';
import { ConfirmModal } from '../../../components/dialogs/confirm-modal.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { showDone } from '../../../components/notices/show-done.js';
import { EditEndpointModal } from './edit-endpoint-modal.js';
import { EndpointMenu } from './endpoint-menu.js';
import { RecoverModal } from './recover-modal.js';
import { RotateSecretModal } from './rotate-secret-modal.js';

export interface EndpointActionsProps {
  readonly endpoint: Endpoint;
}

type Open = 'edit' | 'rotate' | 'recover' | 'delete';

export function EndpointActions({ endpoint }: EndpointActionsProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const ping = usePingEndpoint(endpoint.id);
  const change = useChangeEndpoint(endpoint.id);
  const remove = useDeleteEndpoint(endpoint.id, () => showDone(t`Endpoint deleted.`));
  const sayPinged = () => showDone(t`Ping sent. See Deliveries for the response.`);
  const refusal = ping.error ?? change.error;
  const small = { size: 'xs', variant: 'default' } as const;
  return (
    <>
      <Group gap="xs">
        {endpoint.enabled && (
          <Button
            {...small}
            loading={ping.isPending}
            onClick={() => ping.mutate(undefined, { onSuccess: sayPinged })}
          >
            {t`Send ping`}
          </Button>
        )}
        <Button {...small} component={Link} to={`/webhooks/deliveries?endpointId=${endpoint.id}`}>
          {t`Deliveries`}
        </Button>
        {endpoint.enabled && (
          <Button {...small} onClick={() => setOpen('recover')}>
            {t`Recover`}
          </Button>
        )}
        <Button {...small} onClick={() => setOpen('rotate')}>
          {t`Rotate secret`}
        </Button>
        {!endpoint.enabled && (
          <Button {...small} loading={change.isPending} onClick={() => change.mutate({ enabled: true })}>
            {t`Enable`}
          </Button>
        )}
        <EndpointMenu
          url={endpoint.url}
          isEnabled={endpoint.enabled}
          onEdit={() => setOpen('edit')}
          onToggle={() => change.mutate({ enabled: !endpoint.enabled })}
          onDelete={() => setOpen('delete')}
        />
      </Group>
      {refusal !== null && <ErrorState error={refusal} />}
      {open === 'edit' && <EditEndpointModal endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateSecretModal endpoint={endpoint} onClose={close} />}
      {open === 'recover' && <RecoverModal endpoint={endpoint} onClose={close} />}
      {open === 'delete' && (
        <ConfirmModal
          title={t`Delete this endpoint?`}
          text={t`We'll stop sending events to ${endpoint.url} and delete its secret. This can't be undone. To pause deliveries, disable the endpoint instead.`}
          action={t`Delete endpoint`}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}

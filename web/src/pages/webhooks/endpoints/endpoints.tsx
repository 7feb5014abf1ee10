import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useEndpoints } from '../../../api/webhooks/webhook-endpoints.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { EndpointCard } from './endpoint-card.js';

export interface EndpointsProps {
  readonly onCreate: () => void;
}

export function Endpoints({ onCreate }: EndpointsProps) {
  const endpoints = useEndpoints();
  if (endpoints.isPending) return <Loading height={150} />;
  const fault = endpoints.isError && (
    <ErrorState error={endpoints.error} onRetry={() => void endpoints.refetch()} />
  );
  if (endpoints.data === undefined) return fault;
  if (endpoints.data.data.length === 0)
    return (
      <EmptyState
        icon={<IconWebhook size={22} stroke={1.5} />}
        title={t`No endpoints yet`}
        description={t`Get notified when jobs finish; no polling.`}
      >
        <Button onClick={onCreate}>{t`Add your first endpoint`}</Button>
      </EmptyState>
    );
  return (
    <Stack gap="sm">
      {/* The cards stay rendered, because one of them may be showing a secret that cannot be shown again. */}
      {fault}
      {endpoints.data.data.map((endpoint) => (
        <EndpointCard key={endpoint.id} endpoint={endpoint} />
      ))}
    </Stack>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { usePermission } from '../../api/session/use-permission.js';
import { useRates } from '../../api/usage.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { Card } from '../../components/pages/card.js';
import { Meter } from '../../components/status/meter.js';
import { formatNumber } from '../../lib/format.js';

/** Requests in the last minute, by key. */
export function RateNow() {
  const rates = useRates();
  const mayCreateKeys = usePermission('keys:write');
  return (
    <Card
      id="rate"
      title={t`Current requests per minute`}
      hint={t`Each key has its own limit. Updates every five seconds.`}
    >
      {rates.isPending && <Loading height={36} />}
      {rates.isError && <ErrorState error={rates.error} onRetry={() => void rates.refetch()} />}
      {rates.data?.data.length === 0 && (
        <Text size="sm">
          {mayCreateKeys ? (
            <Trans>
              You have no active keys. <Link to="/keys">Create one</Link> to send requests.
            </Trans>
          ) : (
            t`There are no active keys.`
          )}
        </Text>
      )}
      <Stack gap="md">
        {rates.data?.data.map(({ keyId, name, used, limit }) => (
          <Meter key={keyId} label={name} value={used} limit={limit} format={formatNumber} />
        ))}
      </Stack>
    </Card>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useRates } from '../../api/usage.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Meter } from '../../components/status/meter.js';
import { formatNumber } from '../../lib/format.js';
import card from './card.module.css';

/** Requests in the minute that ends now, key by key. */
export function RateNow() {
  const rates = useRates();
  return (
    <Paper withBorder component="section" aria-labelledby="rate" className={card['card']}>
      <Title order={2} id="rate">
        {t`Current requests per minute`}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t`Each key has its own limit. Updates every five seconds.`}
      </Text>
      {rates.isPending && <Skeleton height={36} aria-label={t`Loading`} />}
      {rates.isError && <ErrorState error={rates.error} onRetry={() => void rates.refetch()} />}
      {rates.data?.data.length === 0 && (
        <Text size="sm">
          <Trans>
            You have no active keys. <Link to="/keys">Create one</Link> to send requests.
          </Trans>
        </Text>
      )}
      <Stack gap="md">
        {rates.data?.data.map(({ keyId, name, used, limit }) => (
          <Meter key={keyId} label={name} value={used} limit={limit} format={formatNumber} />
        ))}
      </Stack>
    </Paper>
  );
}

import { t } from '@lingui/core/macro';
import { Button, Group, SegmentedControl, Tabs } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { usageCsvPath, useUsageHistory } from '../../api/usage.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { Card } from '../../components/pages/card.js';
import { CHART_HEIGHT } from './chart-data.js';
import { HistoryTable } from './history-table.js';
import { KeyShares } from './key-shares.js';

/** Charts are the largest part of the dashboard, so they are loaded on demand. */
const DayChart = lazy(async () => ({ default: (await import('./day-chart.js')).DayChart }));
const StorageChart = lazy(async () => ({ default: (await import('./storage-chart.js')).StorageChart }));

const PERIODS = [
  { value: '7', label: t`7 days` },
  { value: '30', label: t`30 days` },
  { value: '90', label: t`90 days` },
];

/** The usage by day and by key, as charts and as numbers. */
export function History() {
  const [days, setDays] = useState('30');
  const history = useUsageHistory(Number(days));
  const loading = <Loading height={CHART_HEIGHT} />;
  return (
    <Card
      id="history"
      title={t`History`}
      aside={
        <Group gap="sm">
          <SegmentedControl size="xs" aria-label={t`Period`} data={PERIODS} value={days} onChange={setDays} />
          <Button
            component="a"
            href={usageCsvPath(Number(days))}
            download
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
          >
            {t`Download CSV`}
          </Button>
        </Group>
      }
    >
      {history.isLoadingError && <ErrorState error={history.error} onRetry={() => void history.refetch()} />}
      {history.isPending && loading}
      {history.data !== undefined && (
        <Tabs defaultValue="enhancements" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="enhancements">{t`Enhancements`}</Tabs.Tab>
            <Tabs.Tab value="keys">{t`By key`}</Tabs.Tab>
            <Tabs.Tab value="storage">{t`Storage`}</Tabs.Tab>
            <Tabs.Tab value="table">{t`Table`}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="enhancements">
            <Suspense fallback={loading}>
              <DayChart history={history.data} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="keys" mih={CHART_HEIGHT}>
            <KeyShares history={history.data} />
          </Tabs.Panel>
          <Tabs.Panel value="storage">
            <Suspense fallback={loading}>
              <StorageChart history={history.data} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="table">
            <HistoryTable history={history.data} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Card>
  );
}

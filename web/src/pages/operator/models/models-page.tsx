import { plural, t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { IconBox, IconRefresh } from '@tabler/icons-react';
import { useConsoleModels, useReloadModels } from '../../../api/operator/models.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { Notice } from '../../../components/notices/notice.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { OperationCard } from './operation-card.js';

/** The versions of all models: which ones serve, which workers have loaded them, and which were rejected. */
export function ConsoleModelsPage() {
  const models = useConsoleModels();
  const reload = useReloadModels();
  const list = models.data?.data ?? [];
  return (
    <>
      <PageHeader
        title={t`Models`}
        description={t`The versions of all models, and the workers that have loaded them. Choose which of them serve.`}
      >
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.7} />}
          loading={reload.isPending}
          onClick={() => reload.mutate()}
        >
          {t`Scan for new models`}
        </Button>
      </PageHeader>
      <Stack gap="md">
        {reload.isError && <ErrorState error={reload.error} />}
        {reload.isSuccess && (
          <Notice
            tone="good"
            role="status"
            title={plural(reload.data.workers, {
              0: 'No worker is running.',
              one: '# worker is scanning for models and retrying the versions that it refused.',
              other: '# workers are scanning for models and retrying the versions that they refused.',
            })}
          />
        )}
        {models.isPending && <Loading height={220} />}
        {models.isError && <ErrorState error={models.error} onRetry={() => void models.refetch()} />}
        {models.isSuccess && list.length === 0 && (
          <EmptyState
            icon={<IconBox size={22} stroke={1.5} />}
            title={t`No models found`}
            description={t`There are none in the API's model repository or on any worker.`}
          />
        )}
        {list.map((operation) => (
          <OperationCard key={operation.operation} operation={operation} />
        ))}
      </Stack>
    </>
  );
}

import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { IconCpu } from '@tabler/icons-react';
import { useModelsHealth } from '../../api/models/models-health.js';
import { useModels } from '../../api/models/models.js';
import { EmptyState } from '../../components/notices/empty-state.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { ModelCard } from './model-card.js';
import { RefusedVersions } from './refused-versions.js';

const SKELETONS = 4;

/** The model of each operation, and its state. Only the operator of the service can change models, not this page. */
export function ModelsPage() {
  const models = useModels();
  const health = useModelsHealth();
  return (
    <>
      <PageHeader
        title={t`Models`}
        description={t`The models behind each operation, and how they perform.`}
      />
      <Stack gap="md">
        {models.isPending &&
          Array.from({ length: SKELETONS }, (_, index) => <Loading key={index} height={210} />)}
        {models.isError && <ErrorState error={models.error} onRetry={() => void models.refetch()} />}
        {models.data?.data.length === 0 && (
          <EmptyState
            icon={<IconCpu size={22} stroke={1.5} />}
            title={t`No models`}
            description={t`No models are installed. Ask the operator of this service to add one.`}
          />
        )}
        {health.data !== undefined && <RefusedVersions health={health.data} />}
        {models.data?.data.map((served) => (
          <ModelCard key={served.operation} served={served} health={health.data} />
        ))}
      </Stack>
    </>
  );
}

import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { usePlanRequest } from '../../api/plan-requests.js';
import { useUsage } from '../../api/usage.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { AtTheLimit } from './at-the-limit.js';
import { History } from './history.js';
import { PlanUsage } from './plan-usage.js';
import { RateNow } from './rate-now.js';

/** The usage of the plan, by time and by key. */
export function UsagePage() {
  const usage = useUsage();
  // Shown together, because a request changes the height of the plan section.
  const isLoading = usePlanRequest().isPending || usage.isPending;
  return (
    <>
      <PageHeader title={t`Usage`} description={t`Your plan's limits and what you've used.`} />
      <Stack gap="lg">
        {isLoading && <Loading height={158} />}
        {usage.isLoadingError && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
        {!isLoading && usage.data !== undefined && <PlanUsage usage={usage.data} />}
        <History />
        <RateNow />
        <AtTheLimit />
      </Stack>
    </>
  );
}

import { t } from '@lingui/core/macro';
import { IconServerOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { Worker } from '../../../api/operator/schema.js';
import { useWorkers } from '../../../api/operator/workers.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { WorkerCard } from './worker-card.js';
import { WorkerLogPanel } from './worker-log-panel.js';
import classes from './workers-page.module.css';

/** The worker processes: the models and jobs of each, and the operator's actions. */
export function WorkersPage() {
  const workers = useWorkers();
  const [logOf, setLogOf] = useState<Worker | null>(null);
  const list = workers.data?.data ?? [];
  const serving = list.filter(({ state }) => state === 'serving');
  return (
    <>
      <PageHeader
        title={t`Workers`}
        description={t`The processes that run jobs. Drain a worker before you do maintenance on its machine.`}
      />
      {workers.isPending && <Loading height={220} />}
      {workers.isError && <ErrorState error={workers.error} onRetry={() => void workers.refetch()} />}
      {workers.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconServerOff size={22} stroke={1.5} />}
          title={t`No worker is running`}
          description={t`Jobs wait until one starts.`}
        />
      )}
      <div className={classes['workers']}>
        {list.map((worker) => (
          <WorkerCard
            key={worker.id}
            worker={worker}
            isLastServing={worker.state === 'serving' && serving.length === 1}
            onLog={() => setLogOf(worker)}
          />
        ))}
      </div>
      {logOf !== null && <WorkerLogPanel worker={logOf} onClose={() => setLogOf(null)} />}
    </>
  );
}

import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { usePlanRequest } from '../../../api/plan-requests.js';
import { usePermission } from '../../../api/session/use-permission.js';
import { higherPlans, type PlanName } from './higher-plans.js';
import { RequestPlanModal } from './request-plan-modal.js';

export interface RequestPlanProps {
  readonly current: PlanName;
}

/**
 * The button that requests another plan. Renders nothing while a request is open, or for a role without the permission.
 */
export function RequestPlan({ current }: RequestPlanProps) {
  const [isAsking, setIsAsking] = useState(false);
  const isPermitted = usePermission('plan:request');
  const latest = usePlanRequest();
  const isFree = latest.data !== undefined && latest.data?.status !== 'open';
  return (
    <>
      {isPermitted && isFree && higherPlans(current).length > 0 && (
        <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
          {t`Request a plan…`}
        </Button>
      )}
      {isAsking && <RequestPlanModal current={current} onClose={() => setIsAsking(false)} />}
    </>
  );
}

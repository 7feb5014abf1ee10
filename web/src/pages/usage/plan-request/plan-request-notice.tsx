import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Stack, Text } from '@mantine/core';
import { useCancelPlanRequest, usePlanRequest } from '../../../api/plan-requests.js';
import type { PlanRequest } from '../../../api/schema.js';
import { usePermission } from '../../../api/session/use-permission.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Notice } from '../../../components/notices/notice.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { planLabel } from '../../../lib/format.js';
import { higherPlans, type PlanName } from './higher-plans.js';

export interface PlanRequestNoticeProps {
  readonly current: PlanName;
}

/** The open request, or the reason why the last one was declined, if its plan is still above the current one. */
export function PlanRequestNotice({ current }: PlanRequestNoticeProps) {
  const { data } = usePlanRequest();
  if (data === undefined || data === null) return null;
  if (data.status === 'open')
    return (
      <Box mb="md">
        <Open request={data} />
      </Box>
    );
  if (data.status !== 'declined' || !higherPlans(current).includes(data.plan)) return null;
  return (
    <Box mb="md">
      <Notice tone="warn" title={t`Your request for the ${planLabel(data.plan)} was declined`}>
        <Text size="sm">{data.reason}</Text>
      </Notice>
    </Box>
  );
}

function Open({ request }: { readonly request: PlanRequest }) {
  const cancel = useCancelPlanRequest(request.id);
  const isPermitted = usePermission('plan:request');
  const { requestedBy, createdAt, plan, note } = request;
  return (
    <Notice tone="info" title={t`${planLabel(plan)} requested`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {requestedBy !== null && (
            <Trans>
              Requested by {requestedBy} <RelativeTime iso={createdAt} />.
            </Trans>
          )}{' '}
          {t`The operator of this service has not decided yet.`}
        </Text>
        {note !== null && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        {cancel.error !== null && <ErrorState error={cancel.error} />}
        {isPermitted && (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t`Cancel request`}
          </Button>
        )}
      </Stack>
    </Notice>
  );
}

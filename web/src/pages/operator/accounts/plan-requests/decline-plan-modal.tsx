import { t } from '@lingui/core/macro';
import { useDeclinePlan } from '../../../../api/operator/plan-requests.js';
import type { ConsolePlanRequest } from '../../../../api/operator/schema.js';
import { planLabel } from '../../../../lib/format.js';
import { ReasonModal } from '../detail/reason-modal.js';

export interface DeclinePlanModalProps {
  readonly request: ConsolePlanRequest;
  readonly onClose: () => void;
}

/** Declines the request with a reason, which is shown to the customer. */
export function DeclinePlanModal({ request, onClose }: DeclinePlanModalProps) {
  const decline = useDeclinePlan(request.id);
  return (
    <ReasonModal
      title={t`Decline the request of ${request.accountName}?`}
      text={t`The account won't be moved to the ${planLabel(request.plan)}. It can send another request.`}
      description={t`The customer sees it on the Usage page.`}
      action={t`Decline request`}
      isBusy={decline.isPending}
      error={decline.error}
      onConfirm={(reason) => decline.mutate({ reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

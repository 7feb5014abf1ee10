import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useApprovePlan } from '../../../../api/operator/plan-requests.js';
import type { ConsolePlanRequest } from '../../../../api/operator/schema.js';
import { Dialog } from '../../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { planLabel } from '../../../../lib/format.js';
import { LimitFields } from '../detail/limit-fields.js';
import { enteredLimits, limitTexts } from '../detail/plan-limits.js';

export interface ApprovePlanModalProps {
  readonly request: ConsolePlanRequest;
  readonly onClose: () => void;
}

/** Approves the requested plan, with custom limits if any are entered. */
export function ApprovePlanModal({ request, onClose }: ApprovePlanModalProps) {
  const { id, plan, accountName } = request;
  const [texts, setTexts] = useState(() => limitTexts(null));
  const approve = useApprovePlan(id);
  const limits = enteredLimits(texts);
  const hasLimits = limits !== undefined && Object.keys(limits).length > 0;
  const isMissing = plan === 'enterprise' && !hasLimits;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (limits === undefined || isMissing) return;
    approve.mutate({ limits: hasLimits ? limits : null }, { onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title={t`Give ${accountName} the ${planLabel(plan)}?`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {approve.error !== null && <ErrorState error={approve.error} />}
          <Text size="sm">
            {plan === 'enterprise'
              ? t`This takes effect immediately. Enter the limits agreed with the customer. If you leave one empty, that of the Business plan applies.`
              : t`This takes effect immediately and replaces the account's current limits. Leave a limit empty to use the plan's limit.`}
          </Text>
          <LimitFields texts={texts} onChange={setTexts} />
          <DialogButtons
            action={t`Approve`}
            isBusy={approve.isPending}
            isDisabled={limits === undefined || isMissing}
            onCancel={onClose}
            startsAtCancel
          />
        </Stack>
      </form>
    </Dialog>
  );
}

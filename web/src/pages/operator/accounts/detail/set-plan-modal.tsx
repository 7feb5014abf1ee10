import { t } from '@lingui/core/macro';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSetPlan } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail, SetPlan } from '../../../../api/operator/schema.js';
import { Dialog } from '../../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { formatNumber, planLabel } from '../../../../lib/format.js';
import { PLANS } from '../account-texts.js';
import { LimitFields } from './limit-fields.js';
import { enteredLimits, type LimitTexts, limitTexts } from './plan-limits.js';

export interface SetPlanModalProps {
  readonly account: ConsoleAccountDetail;
  readonly onClose: () => void;
}

/** Changes the plan, and sets limits that override those of the plan. */
export function SetPlanModal({ account, onClose }: SetPlanModalProps) {
  const [plan, setPlan] = useState<SetPlan['plan']>(account.plan);
  const [texts, setTexts] = useState(() => limitTexts(account.ownLimits));
  const change = useSetPlan(account.id);
  const limits = enteredLimits(texts, account.ownLimits);
  const isMissing = plan === 'enterprise' && limits !== undefined && Object.keys(limits).length === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (limits === undefined || isMissing) return;
    const own = Object.keys(limits).length === 0 ? null : limits;
    change.mutate({ plan, limits: own }, { onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title={t`Change the plan of ${account.name}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {change.error !== null && <ErrorState error={change.error} />}
          <NativeSelect
            label={t`Plan`}
            value={plan}
            onChange={(event) => setPlan(event.currentTarget.value as SetPlan['plan'])}
            data={PLANS.map((name) => ({ value: name, label: planLabel(name) }))}
            data-autofocus
          />
          <Text size="sm" c="dimmed">
            {plan === 'enterprise'
              ? t`Enter the limits agreed with the customer. If you leave one empty, that of the Business plan applies.`
              : t`Leave a limit empty to use the plan's limit.`}
          </Text>
          <LimitFields
            texts={texts}
            placeholders={plan === account.plan ? planPlaceholders(account) : undefined}
            onChange={setTexts}
          />
          <DialogButtons
            action={t`Change plan`}
            isBusy={change.isPending}
            isDisabled={limits === undefined || isMissing}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

const GB = 2 ** 30;

function planPlaceholders({ planLimits }: ConsoleAccountDetail): LimitTexts {
  return {
    rpm: formatNumber(planLimits.rpm),
    enhancements: formatNumber(planLimits.enhancements),
    storageBytes: formatNumber(planLimits.storageBytes / GB),
    keys: formatNumber(planLimits.keys),
  };
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useRequestPlan } from '../../../api/plan-requests.js';
import { Dialog } from '../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { planLabel } from '../../../lib/format.js';
import { higherPlans, type PlanName, type RequestablePlan } from './higher-plans.js';

const MAX_NOTE = 500;

export interface RequestPlanModalProps {
  readonly current: PlanName;
  readonly onClose: () => void;
}

/** Asks the operator of the service for a plan above the current one. */
export function RequestPlanModal({ current, onClose }: RequestPlanModalProps) {
  const plans = higherPlans(current);
  const [plan, setPlan] = useState(plans[0]!);
  const [note, setNote] = useState('');
  const ask = useRequestPlan();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate({ plan, note: note.trim() === '' ? null : note.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title={t`Request a plan`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {ask.error !== null && <ErrorState error={ask.error} />}
          <Text size="sm">
            <Trans>
              The operator of this service decides. Your plan stays the same until then.{' '}
              <Anchor href="/docs/plans" size="sm">
                Compare plans
              </Anchor>
            </Trans>
          </Text>
          <NativeSelect
            label={t`Plan`}
            value={plan}
            onChange={(event) => setPlan(event.currentTarget.value as RequestablePlan)}
            data={plans.map((name) => ({ value: name, label: planLabel(name) }))}
            data-autofocus
          />
          <Textarea
            label={t`Note`}
            description={t`Optional. For example, the limits you need.`}
            autosize
            minRows={3}
            maxLength={MAX_NOTE}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <DialogButtons action={t`Send request`} isBusy={ask.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

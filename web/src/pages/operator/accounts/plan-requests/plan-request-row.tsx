import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ConsolePlanRequest } from '../../../../api/operator/schema.js';
import { RelativeTime } from '../../../../components/times/relative-time.js';
import { planLabel } from '../../../../lib/format.js';
import { ApprovePlanModal } from './approve-plan-modal.js';
import { DeclinePlanModal } from './decline-plan-modal.js';
import classes from './plan-requests.module.css';

export interface PlanRequestRowProps {
  readonly request: ConsolePlanRequest;
}

/** One request: the customer, the plan, the note, and buttons to approve and decline. */
export function PlanRequestRow({ request }: PlanRequestRowProps) {
  const [decision, setDecision] = useState<'approve' | 'decline' | null>(null);
  const { accountId, accountName, currentPlan, plan, note, requestedBy, createdAt } = request;
  const close = () => setDecision(null);
  return (
    <li className={classes['row']}>
      <div className={classes['what']}>
        <Link to={`/operator/accounts/${accountId}`} className={classes['name'] ?? ''}>
          {accountName}
        </Link>
        <span>
          <Trans>
            {planLabel(plan)} instead of {planLabel(currentPlan)}
          </Trans>
        </span>
        {note !== null && <span className={classes['note']}>{note}</span>}
        <span className={classes['note']}>
          {requestedBy !== null && requestedBy !== accountName && `${requestedBy} · `}
          <RelativeTime iso={createdAt} />
        </span>
      </div>
      <Group gap="xs" className={classes['actions'] ?? ''}>
        <Button
          size="xs"
          variant="default"
          aria-label={t`Decline the request of ${accountName}`}
          onClick={() => setDecision('decline')}
        >
          {t`Decline…`}
        </Button>
        <Button
          size="xs"
          aria-label={t`Approve the request of ${accountName}`}
          onClick={() => setDecision('approve')}
        >
          {t`Approve…`}
        </Button>
      </Group>
      {decision === 'approve' && <ApprovePlanModal request={request} onClose={close} />}
      {decision === 'decline' && <DeclinePlanModal request={request} onClose={close} />}
    </li>
  );
}

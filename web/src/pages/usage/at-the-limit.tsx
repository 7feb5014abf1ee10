import { Paper, Title } from '@mantine/core';
import classes from './at-the-limit.module.css';
import card from './card.module.css';

/** What a program meets when something is used up. */
export function AtTheLimit() {
  return (
    <Paper withBorder component="section" aria-labelledby="limits" className={card['card']}>
      <Title order={2} id="limits" mb="sm">
        What happens at a limit
      </Title>
      <dl className={classes['list']}>
        <div>
          <dt>Enhancements of the month</dt>
          <dd>
            New jobs are refused with <code>403 quota_exceeded</code>, never billed on top. Running jobs end
            as usual. The count begins anew on the first of the month (UTC). Failed and canceled jobs are
            given back.
          </dd>
        </div>
        <div>
          <dt>Storage</dt>
          <dd>
            Uploads and new jobs are refused with <code>403 quota_exceeded</code> until jobs or photos are
            deleted.
          </dd>
        </div>
        <div>
          <dt>Requests per minute</dt>
          <dd>
            Answered with <code>429 rate_limited</code>; the <code>Retry-After</code> header says how many
            seconds to wait. Other keys are not affected.
          </dd>
        </div>
        <div>
          <dt>Being told</dt>
          <dd>
            The webhook event <code>quota.exceeded</code> is sent at the first refusal, then at most once an
            hour.
          </dd>
        </div>
      </dl>
    </Paper>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Card } from '../../components/pages/card.js';
import classes from './at-the-limit.module.css';

/** Explains what programs get when a quota is used up. */
export function AtTheLimit() {
  return (
    <Card id="limits" title={t`What happens when you reach a limit`}>
      <dl className={classes['list']}>
        <div>
          <dt>{t`Monthly enhancements`}</dt>
          <dd>
            <Trans>
              New jobs get <code>403 quota_exceeded</code>. There are no overage charges. Running jobs finish
              normally. The count resets on the first of the month (UTC). Failed and canceled jobs don't
              count.
            </Trans>
          </dd>
        </div>
        <div>
          <dt>{t`Storage`}</dt>
          <dd>
            <Trans>
              Uploads and new jobs get <code>403 quota_exceeded</code> until you delete jobs or photos.
            </Trans>
          </dd>
        </div>
        <div>
          <dt>{t`Requests per minute`}</dt>
          <dd>
            <Trans>
              Requests get <code>429 rate_limited</code>. The <code>Retry-After</code> header tells how many
              seconds to wait. Other keys are not affected.
            </Trans>
          </dd>
        </div>
        <div>
          <dt>{t`Notifications`}</dt>
          <dd>
            <Trans>
              The <code>quota.exceeded</code> webhook event is sent the first time, then at most once an hour.
            </Trans>
          </dd>
        </div>
      </dl>
    </Card>
  );
}

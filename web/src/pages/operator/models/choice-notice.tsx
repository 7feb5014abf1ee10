import { t } from '@lingui/core/macro';
import type { ConsoleOperation } from '../../../api/operator/schema.js';
import { Notice } from '../../../components/notices/notice.js';
import classes from './models-page.module.css';

/** Explains why new jobs do not get the chosen version. Renders nothing while they do. */
export function ChoiceNotice({
  operation: { chosen, choiceState, offered },
}: {
  readonly operation: ConsoleOperation;
}) {
  if (chosen === null || choiceState === null || choiceState === 'served') return null;
  if (choiceState === 'pending')
    return (
      <div className={classes['notices']}>
        <Notice tone="info" title={t`Version ${chosen} serves as soon as a worker has loaded it`}>
          {offered !== null && t`Until then, version ${offered} serves.`}
        </Notice>
      </div>
    );
  const title =
    choiceState === 'refused'
      ? t`Version ${chosen} cannot serve, because a worker refuses it`
      : t`Version ${chosen} cannot serve, because no worker has it`;
  return (
    <div className={classes['notices']}>
      <Notice tone="warn" title={title}>
        {offered !== null && t`Version ${offered} serves instead.`}
      </Notice>
    </div>
  );
}

import { t } from '@lingui/core/macro';
import type { Setting } from '../../../api/operator/schema.js';
import classes from './workers-page.module.css';

export interface WorkerSettingsProps {
  /** Those that are not the default. */
  readonly settings: readonly Setting[];
}

/** The settings of one worker, folded until they are wanted. */
export function WorkerSettings({ settings }: WorkerSettingsProps) {
  const count = settings.length;
  return (
    <details className={classes['settings']}>
      <summary>{t`Changed settings (${count})`}</summary>
      <dl>
        {settings.map(({ name, value, isSecret }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{isSecret ? t`Set` : value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

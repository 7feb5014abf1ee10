import { t } from '@lingui/core/macro';
import type { Setting } from '../../../api/operator/schema.js';
import classes from './workers-page.module.css';

export interface WorkerSettingsProps {
  /** Settings that differ from the defaults. */
  readonly settings: readonly Setting[];
}

/** The settings of one worker, initially collapsed. */
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

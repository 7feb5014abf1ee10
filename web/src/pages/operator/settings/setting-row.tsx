import { t } from '@lingui/core/macro';
import type { DescribedSetting, Setting } from '../../../api/operator/schema.js';
import classes from './settings-page.module.css';

const SOURCES: Readonly<Record<Setting['source'], string>> = {
  default: t`Default`,
  environment: t`Environment`,
  file: t`File`,
  supervisor: t`npm start`,
};

export interface SettingRowProps {
  readonly setting: DescribedSetting;
}

/** One variable: its name and meaning, its value, and where that comes from. */
export function SettingRow({ setting: { name, description, value, source, isSecret } }: SettingRowProps) {
  return (
    <li className={classes['row']}>
      <div className={classes['about']}>
        <code className={classes['name']}>{name}</code>
        <p className={classes['description']}>{description.replaceAll('`', '')}</p>
      </div>
      <span className={classes['value']}>
        {isSecret ? (
          <span className={classes['secret']}>{source === 'default' ? t`Not set` : t`Set`}</span>
        ) : (
          value
        )}
      </span>
      <span className={classes['source']} data-changed={source !== 'default'}>
        {SOURCES[source]}
      </span>
    </li>
  );
}

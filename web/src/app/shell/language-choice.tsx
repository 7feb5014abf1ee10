import { t } from '@lingui/core/macro';
import { IconLanguage } from '@tabler/icons-react';
import { chooseLocale, currentLocale, LOCALES, type Locale } from '../../i18n/locale.js';
import classes from './language-choice.module.css';

/** The language of the dashboard. Each language is listed under its own name, so that its readers find it. */
export function LanguageChoice() {
  return (
    <label className={classes['root']}>
      <IconLanguage size={18} stroke={1.7} aria-hidden />
      <select
        className={classes['select']}
        aria-label={t`Language`}
        value={currentLocale()}
        onChange={(event) => chooseLocale(event.currentTarget.value as Locale)}
      >
        {Object.entries(LOCALES).map(([locale, name]) => (
          <option key={locale} value={locale} lang={locale}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

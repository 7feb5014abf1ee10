import { t } from '@lingui/core/macro';
import { IconLanguage } from '@tabler/icons-react';
import { chooseLocale, currentLocale, LOCALES, type Locale } from '../../../i18n/locale.js';
import { MenuSelect } from './menu-select.js';

/** The language of the dashboard. Each language is listed under its own name, so that its readers find it. */
export function LanguageChoice() {
  return (
    <MenuSelect
      icon={IconLanguage}
      label={t`Language`}
      value={currentLocale()}
      onChoose={(locale) => chooseLocale(locale as Locale)}
    >
      {Object.entries(LOCALES).map(([locale, name]) => (
        <option key={locale} value={locale} lang={locale}>
          {name}
        </option>
      ))}
    </MenuSelect>
  );
}

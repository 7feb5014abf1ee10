import type { Role } from '../kernel/accounts/roles.js';
import type { Language } from './language.js';

const TEXTS: Readonly<Record<Language, Readonly<Record<Role, string>>>> = {
  en: { owner: 'Owner', admin: 'Admin', developer: 'Developer', viewer: 'Viewer', billing: 'Billing' },
  de: {
    owner: 'Inhaber',
    admin: 'Administrator',
    developer: 'Entwickler',
    viewer: 'Betrachter',
    billing: 'Abrechnung',
  },
};

/** The name of a role, as the dashboard shows it. */
export function roleText(language: Language, role: Role): string {
  return TEXTS[language][role];
}

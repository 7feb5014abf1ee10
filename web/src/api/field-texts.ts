import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { Problem } from 'image-enhancement-client';

type FieldError = Problem['errors'][number];

/** Messages about form fields, as the service writes them after the name of the field, in the reader's language. */
const TEXTS: Readonly<Record<string, string>> = {
  'The URL must begin with https://.': t`The URL must begin with https://.`,
  'The URL must begin with https:// or http://.': t`The URL must begin with https:// or http://.`,
  'The URL must not contain a user name or password.': t`The URL must not contain a user name or password.`,
  'The URL is longer than 2048 characters.': t`The URL is longer than 2,048 characters.`,
  'must have at least four different characters.': t`Use at least four different characters.`,
  'must not be the email address.': t`Don't use your email address.`,
  'must not be a part of the email address.': t`Don't use a part of your email address.`,
  'is too easy to guess. A few random words work well.': t`This is too easy to guess. A few random words work well.`,
};

/** What is wrong with a field, by the code of the error. Less precise than the service's message, which is in English. */
const CODES: Readonly<Record<string, string>> = {
  required: t`Fill in this field.`,
  unknown: t`This field is not known.`,
  enum: t`This is not one of the possible values.`,
  type: t`This value has the wrong type.`,
  range: t`This is too small or too large.`,
  min: t`This is too small or too large.`,
  max: t`This is too small or too large.`,
  text: t`This is too long, or has characters that can't be stored.`,
  minLength: t`This is too short.`,
  maxLength: t`This is too long.`,
  isNotEmpty: t`Fill in this field.`,
  arrayNotEmpty: t`Choose at least one.`,
  arrayUnique: t`This contains an entry twice.`,
  matches: t`This has characters that are not allowed here, or is too long.`,
  format: t`This has the wrong format.`,
  email: t`Enter an email address, such as name@example.com.`,
  networks: t`Use IP addresses or CIDR ranges, such as 203.0.113.0/24.`,
  metadata: t`The metadata has too many entries, or some are too long.`,
  password: t`Choose another password. It is too short, too long, or too easy to guess.`,
  past: t`Choose a time in the future.`,
  unchanged: t`This is the current email address of your account.`,
  not_found: t`This doesn't exist, or has been deleted.`,
  conflict: t`This can't be combined with the other values.`,
};

/** `10.0.0.1 is private. Requests to such addresses are not allowed.` */
const PRIVATE = /^(\S+) (?:is|resolves to) .+\. Requests to such addresses are not allowed\.$/;

/**
 * The service's message about a form field without the field's name in the API, which readers of a form do not know.
 * In other languages than English, the translation of the message or else of the code, if one of them is known.
 * @param error whose message is `name must not be empty.`, or `url: The URL must begin with https://.`
 */
export function fieldText({ field, code, message }: FieldError): string {
  const rest = message.startsWith(field) ? message.slice(field.length).replace(/^:?\s+/, '') : message;
  const [, address] = PRIVATE.exec(rest) ?? [];
  if (address !== undefined)
    return t`Requests to ${address} are not allowed, because it is not a public address.`;
  return TEXTS[rest] ?? codeText(code) ?? (message.startsWith(`${field} `) ? `This ${rest}` : rest);
}

/** An error of a request by several fields, which names them. */
export function namedFieldText({ field, code, message }: FieldError): string {
  const text = codeText(code);
  return text === undefined ? message : `${field}: ${text}`;
}

function codeText(code: string): string | undefined {
  return i18n.locale === 'en' ? undefined : CODES[code];
}

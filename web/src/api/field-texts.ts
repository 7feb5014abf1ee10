import { t } from '@lingui/core/macro';

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

/** `10.0.0.1 is private. Requests to such addresses are not allowed.` */
const PRIVATE = /^(\S+) (?:is|resolves to) .+\. Requests to such addresses are not allowed\.$/;

/**
 * The service's message about a form field without the field's name in the API, which readers of a form do not know.
 * Translated if the message is known; the others are in English.
 * @param message `name must not be empty.`, or `url: The URL must begin with https://.`
 */
export function fieldText(message: string, field: string): string {
  const rest = message.startsWith(field) ? message.slice(field.length).replace(/^:?\s+/, '') : message;
  const [, address] = PRIVATE.exec(rest) ?? [];
  if (address !== undefined)
    return t`Requests to ${address} are not allowed, because it is not a public address.`;
  return TEXTS[rest] ?? (message.startsWith(`${field} `) ? `This ${rest}` : rest);
}

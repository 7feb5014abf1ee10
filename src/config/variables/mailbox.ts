import type { Descriptor } from './descriptor.js';

/** The sender of an email. */
export interface Mailbox {
  /** Shown instead of the address; empty when there is none. */
  readonly name: string;
  readonly address: string;
}

const FORMAT = '`mail@example.com` or `Name <mail@example.com>`';
const NAMED = /^"?([^"<>\r\n]*?)"?\s*<([^<>\s]+)>$/;
/** ASCII only, because the domain becomes part of Message-IDs. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/;

/** An email address with an optional name; undefined when not set. */
export function mailbox(
  name: string,
  options: { readonly text: string; readonly defaultText: string },
): Descriptor<Mailbox | undefined> {
  return {
    name,
    text: options.text,
    defaultText: options.defaultText,
    format: FORMAT,
    read: (raw) => {
      if (raw === undefined || raw.trim() === '') return undefined;
      const text = raw.trim();
      const [, shown = '', address = text] = NAMED.exec(text) ?? [];
      if (!ADDRESS.test(address)) throw new Error(`must be ${FORMAT.replaceAll('`', '')}, not "${raw}"`);
      return { name: shown.trim(), address };
    },
  };
}

import type { Descriptor } from '../descriptor.js';

const FORMAT = 'domains separated by commas, such as `example.com,example.org`';
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)*[a-z\d](?:[a-z\d-]*[a-z\d])?$/;

/** Domains of email addresses, in lowercase; an empty list when not set. A domain does not include its subdomains. */
export function emailDomains(
  name: string,
  options: { readonly text: string },
): Descriptor<readonly string[]> {
  return {
    name,
    text: options.text,
    defaultText: 'any',
    format: FORMAT,
    read: (raw = '') => {
      if (raw.trim() === '') return [];
      const domains = raw.split(',').map((part) => part.trim().toLowerCase());
      const bad = domains.find((domain) => !DOMAIN.test(domain));
      if (bad !== undefined)
        throw new Error(`must be ${FORMAT.replaceAll('`', '')}; "${bad}" is not a valid domain`);
      return domains;
    },
  };
}

import { domainToASCII, domainToUnicode } from 'node:url';

/** Text without the characters that separate or quote parts of an address header (RFC 5322, `specials`). */
const ADDRESS = /^[^\s@\p{Cc}()<>[\]:;,"\\]+@[^\s@\p{Cc}()<>[\]:;,"\\]+$/u;

/** The two letters outside of ASCII whose lower case in PostgreSQL is ASCII, so that another address would equal theirs. */
const LOWER_IS_ASCII = /[\u0130\u212A]/u;

/**
 * Text before and after one `@`; only delivery of a message proves more. At most 254 characters (RFC 5321). Comments,
 * quoted names and lists of addresses are refused, because mail programs read other recipients in them. So are `İ` and the
 * Kelvin sign, because PostgreSQL takes them for `i` and `k`, and domains that mail programs replace by another spelling.
 */
export function isEmail(text: string): boolean {
  return (
    text.length <= 254 &&
    ADDRESS.test(text) &&
    !LOWER_IS_ASCII.test(text) &&
    !/\p{Surrogate}/u.test(text) &&
    isCanonical(text.slice(text.indexOf('@') + 1).toLowerCase())
  );
}

/**
 * Whether a domain is spelled as IDNA (UTS #46) spells it, in Unicode or in ASCII. Other spellings, such as `ｅxample.org`,
 * reach the mailboxes of `example.org`, but would be accounts of their own, each with its own limits for email.
 */
function isCanonical(domain: string): boolean {
  return !domain.endsWith('.') && [domainToASCII(domain), domainToUnicode(domain)].includes(domain);
}

/**
 * Equal for addresses that `lower()` of PostgreSQL makes equal, whatever the collation: there, `İ` becomes `i` with or
 * without a dot above, and `Σ` becomes either of two letters.
 */
export function caseFolded(email: string): string {
  return email.toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ');
}

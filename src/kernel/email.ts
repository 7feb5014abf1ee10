/** Text without the characters that separate or quote parts of an address header (RFC 5322, `specials`). */
const ADDRESS = /^[^\s@\p{Cc}()<>[\]:;,"\\]+@[^\s@\p{Cc}()<>[\]:;,"\\]+$/u;

/**
 * Text before and after one `@`; only delivery of a message proves more. At most 254 characters (RFC 5321). Comments,
 * quoted names and lists of addresses are refused, because mail programs read other recipients in them.
 */
export function isEmail(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text) && !/\p{Surrogate}/u.test(text);
}

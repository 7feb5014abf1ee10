/**
 * Text before and after one `@`; only delivery of a message proves more. At most 254 characters (RFC 5321).
 */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && !/\p{Surrogate}/u.test(text);
}

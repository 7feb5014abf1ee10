/** The given number of members of a JSON object, without its braces. */
export const members = (count, value) =>
  Array.from({ length: count }, (_, index) => `"a${index.toString(36)}":${value}`).join(',');

/**
 * JSON bodies of about the given number of bytes that take more resources than their size suggests. For the benchmark
 * and for the spec of every route.
 * @type {Readonly<Record<string, (bytes: number) => string>>}
 */
export const WIDE_BODIES = {
  'a wide object': (bytes) => `{${members(bytes / 8, '0')}}`,
  'a wide object as a value': (bytes) => `{"metadata":{${members(bytes / 8, '0')}}}`,
  'a wide array of objects': (bytes) => `{"events":[${'{},'.repeat(bytes / 3)}{}]}`,
  'nested arrays': (bytes) => `{"metadata":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`,
  'one string of escapes': (bytes) => `{"email":"${'\\u0040'.repeat(bytes / 6)}"}`,
  'one string of at signs': (bytes) => `{"email":"${'@'.repeat(bytes)}","password":"${'a@'.repeat(9)}"}`,
  'a string that does not end': (bytes) => `{"email":"${'\\"'.repeat(bytes / 2)}`,
  'as many members as are read': (bytes) => `{${members(190, `"${'x'.repeat(bytes / 210)}"`)}}`,
};

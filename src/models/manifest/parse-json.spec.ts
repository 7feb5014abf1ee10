import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.js';

describe('parseJson', () => {
  it.each(['{"a": [1, -2.5e3, "x\\n\\u0041", true, null, {}, []]}', ' [ ] ', '"x"', '0'])(
    'reads %s',
    (text) => expect(parseJson(text)).toEqual(JSON.parse(text)),
  );

  it.each([
    ['a comma too many', '{\n  "a": 1,\n}', 3, 1],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['a comma at the end of a list', '{\r\n  "a": [1, 2,]\r\n}', 2, 14],
    ['a word', '{\n  "a": tru\n}', 2, 8],
    ['a missing colon', '{"a" 1}', 1, 6],
    ['a name without quotes', '{\n\n  a: 1}', 3, 3],
    ['single quotes', "{\n  'a': 1}", 2, 3],
    ['a string over two lines', '{\n  "a": "x\ny"}', 2, 8],
    ['an unknown escape', '{"a": "\\q"}', 1, 7],
    ['a leading zero', '{"a": 01}', 1, 8],
    ['a wrong bracket', '{\n  "a": [1}\n}', 2, 10],
    ['the end of the file', '{\n  "a": {\n', 3, 1],
    ['text after the end', '{}\nx', 2, 1],
    ['an empty file', '', 1, 1],
    ['deep nesting', '['.repeat(100_000), 1, 100_001],
  ])('says where the fault is: %s', (_, text, line, column) => {
    let message = '';
    try {
      parseJson(text);
    } catch (error) {
      message = (error as SyntaxError).message;
    }
    expect(message).toMatch(new RegExp(`^line ${line}, column ${column}: \\S`));
    // The runtime's own place, and the excerpt that it shows instead.
    expect(message).not.toMatch(/position|not valid JSON/);
  });
});

import { parseJson } from '../manifest/parse-json.js';

/**
 * Reads the text of a manifest. Manifests from before the field `license` had this name are still read.
 * @throws SyntaxError with line and column when it is not JSON
 */
export function parseManifest(text: string): unknown {
  // Some editors begin a file with a byte order mark, which nobody sees.
  const value: unknown = parseJson(text.replace(/^\uFEFF/, ''));
  if (typeof value !== 'object' || value === null || !('licence' in value) || 'license' in value)
    return value;
  const { licence, ...others } = value;
  return { ...others, license: licence };
}

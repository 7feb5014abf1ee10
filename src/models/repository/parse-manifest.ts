/**
 * Reads the text of a manifest. Manifests from before the field `license` had this name are still read.
 * @throws SyntaxError when it is not JSON
 */
export function parseManifest(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('licence' in value) || 'license' in value)
    return value;
  const { licence, ...others } = value;
  return { ...others, license: licence };
}

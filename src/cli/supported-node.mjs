// Plain JavaScript, because the scripts import it before anything is built.

/** The versions of Node.js that the service runs on, as a person reads them. */
export const SUPPORTED_NODE = '20.19 (or a later 20.x) or 22.13 (or newer)';

/**
 * Whether the service runs on a version of Node.js. Earlier ones cannot `require` ES modules, and packages refuse them.
 * `engines` in package.json says the same.
 * @param {string} version for example `20.19.0`
 */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 20) return minor >= 19;
  if (major === 22) return minor >= 13;
  return major > 22;
}

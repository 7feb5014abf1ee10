/** Occurrences of the version, other than in the generated API documents: the path, and the pattern around it. */
export const VERSION_PLACES = [
  ['package.json', /^( {2}"version": ")[^"]+(")/m],
  ['package-lock.json', /^( {2}"version": ")[^"]+(")/m],
  ['package-lock.json', /("": \{\s+"name": "[^"]+",\s+"version": ")[^"]+(")/],
  ['src/kernel/version.ts', /(VERSION = ')[^']+(')/],
  ['clients/js/package.json', /^( {2}"version": ")[^"]+(")/m],
  ['clients/js/src/version.ts', /(VERSION = ')[^']+(')/],
  ['clients/python/pyproject.toml', /^(version = ")[^"]+(")/m],
  ['clients/python/src/image_enhancement/_version.py', /(__version__ = ")[^"]+(")/],
  ['docker/Dockerfile', /^(ARG VERSION=).+()$/gm],
  ['docker/helm/Chart.yaml', /^(version: ).+()$/m],
  ['docker/helm/Chart.yaml', /^(appVersion: ).+()$/m],
];

/**
 * @param {'major' | 'minor' | 'patch'} part
 * @returns the version after `version`, which must be `X.Y.Z`
 */
export function nextVersion(version, part) {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (match === null) throw new Error(`"${version}" is not a version of the form X.Y.Z.`);
  const [major, minor, patch] = match.slice(1).map(Number);
  if (part === 'major') return `${major + 1}.0.0`;
  if (part === 'minor') return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}

/** @throws Error when the pattern does not match, so that a moved file is noticed */
export function withVersion(text, pattern, version, path) {
  if (!pattern.test(text))
    throw new Error(`${path} has no version where scripts/release/versions.mjs looks.`);
  return text.replace(pattern, `$1${version}$2`);
}

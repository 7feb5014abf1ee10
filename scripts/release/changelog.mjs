const UNRELEASED = '## [Unreleased]';

/**
 * The content of the "Unreleased" section, without its heading; empty when there is none.
 * @throws Error without that heading
 */
export function unreleased(changelog) {
  const start = changelog.indexOf(UNRELEASED);
  if (start < 0) throw new Error(`The changelog has no "${UNRELEASED}" section.`);
  const rest = changelog.slice(start + UNRELEASED.length);
  const end = rest.search(/^## /m);
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

/**
 * Moves the content of the "Unreleased" section into a new section. The empty heading stays.
 * @param {string} date ISO 8601, `2026-11-23`
 */
export function released(changelog, version, date) {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`);
}

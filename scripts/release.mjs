// `npm run release -- major|minor|patch [--dry-run]`: changelogs, versions, generated documents, a commit and a tag.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/paths.mjs';
import { runMain, SetupError } from './lib/setup-error.mjs';
import { released, unreleased } from './release/changelog.mjs';
import { nextVersion, VERSION_PLACES, withVersion } from './release/versions.mjs';

const USAGE = `Usage: npm run release -- major|minor|patch [--dry-run]

Moves "Unreleased" of the changelogs into a new version, sets the version of the product and the clients, commits, and
tags the commit vX.Y.Z. Nothing is pushed. --dry-run only says what would change.`;

/** The product's must say something; a client's may have nothing new. */
const CHANGELOGS = ['CHANGELOG.md', 'clients/js/CHANGELOG.md', 'clients/python/CHANGELOG.md'];

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const write = (path, text) => writeFileSync(join(ROOT, path), text);

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new SetupError(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trim();
}

function readArguments(args) {
  const known = new Set(['major', 'minor', 'patch', '--dry-run', '--help']);
  const unknown = args.find((arg) => !known.has(arg));
  if (unknown !== undefined) throw new SetupError(`Unknown argument "${unknown}".\n${USAGE}`, 2);
  const parts = args.filter((arg) => !arg.startsWith('--'));
  if (parts.length !== 1) throw new SetupError(`Name one of major, minor and patch.\n${USAGE}`, 2);
  return { part: parts[0], isDryRun: args.includes('--dry-run') };
}

function requireReleasable(version) {
  if (git('status', '--porcelain') !== '') throw new SetupError('Commit or stash your changes first.');
  if (git('tag', '--list', `v${version}`) !== '') throw new SetupError(`The tag v${version} exists already.`);
  if (unreleased(read('CHANGELOG.md')) === '') {
    throw new SetupError('CHANGELOG.md has nothing under "Unreleased"; say what users will notice.');
  }
}

function writeVersion(version) {
  const date = new Date().toISOString().slice(0, 10);
  for (const path of CHANGELOGS) {
    if (unreleased(read(path)) !== '') write(path, released(read(path), version, date));
  }
  for (const [path, pattern] of VERSION_PLACES) write(path, withVersion(read(path), pattern, version, path));
}

function renewDocuments() {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'docs-sync.mjs')], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) throw new SetupError('The generated documents could not be renewed; see above.');
}

await runMain(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { part, isDryRun } = readArguments(args);
  const version = nextVersion(JSON.parse(read('package.json')).version, part);
  requireReleasable(version);
  if (isDryRun) {
    const files = [...new Set(VERSION_PLACES.map(([path]) => path))].join(', ');
    process.stdout.write(`Would release ${version}: ${files}\n\n${unreleased(read('CHANGELOG.md'))}\n`);
    return;
  }
  try {
    writeVersion(version);
    renewDocuments();
    git('commit', '--quiet', '--all', '--message', `chore(release): ${version}`);
  } catch (error) {
    // The tree was clean, so nothing of anybody is lost.
    git('checkout', '--quiet', '--', '.');
    throw error;
  }
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
  process.stdout.write(`Released ${version}. Push it with: git push --follow-tags\n`);
});

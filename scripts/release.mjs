// `npm run release -- major|minor|patch [--dry-run]`: changelogs, versions, generated documents, a commit and a tag.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/paths.mjs';
import { runScript } from './lib/run-script.mjs';
import { SetupError } from './lib/setup-error.mjs';
import { released, unreleased } from './release/changelog.mjs';
import { nextVersion, VERSION_PLACES, withVersion } from './release/versions.mjs';

/** The changelog of the product must have an entry. Those of the clients may be empty. */
const CHANGELOGS = ['CHANGELOG.md', 'clients/js/CHANGELOG.md', 'clients/python/CHANGELOG.md'];

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const write = (path, text) => writeFileSync(join(ROOT, path), text);

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new SetupError(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trim();
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

await runScript({
  invocation: 'npm run release --',
  description:
    'Moves "Unreleased" of the changelogs into a new version, sets the version of the product and the clients, commits, and tags the commit vX.Y.Z. Nothing is pushed.',
  declare: (program, { choiceArgument }) =>
    program
      .addArgument(choiceArgument('<part>', 'the part of the version to raise', ['major', 'minor', 'patch']))
      .option('--dry-run', 'only print what would change'),
  main: ({ dryRun }, [part]) => release(part, dryRun),
});

function release(part, isDryRun) {
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
    // The working tree was clean, so nothing is lost.
    git('checkout', '--quiet', '--', '.');
    throw error;
  }
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
  process.stdout.write(`Released ${version}. Push it with: git push --follow-tags\n`);
}

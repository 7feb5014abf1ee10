import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from '../lib/setup-error.mjs';
import { buildah } from './buildah.mjs';
import { checkNameOf } from './check-images.mjs';
import { docker, hasDockerImage, loadImage } from './docker.mjs';
import { CACHE } from './stand-ins.mjs';

const VERSITYGW = join(homedir(), '.cache/versitygw/bin/versitygw');
const BASE = join(CACHE, 'servers.tar');
const PACKAGES = ['postgresql-15', 'redis-server', 'wget', 'usr-is-merged'];

/** Implements those variables of the official image that docker/compose.yaml uses. */
const POSTGRES_START = `#!/bin/bash
set -eu
export PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data/cluster
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
mkdir -p /var/lib/postgresql/data /run/postgresql
chown postgres: /var/lib/postgresql/data /run/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  cp "$POSTGRES_PASSWORD_FILE" /tmp/password && chown postgres /tmp/password
  as initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile /tmp/password --auth-local trust --auth-host scram-sha-256
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  as pg_ctl -D "$PGDATA" -w start
  as createdb -U "$POSTGRES_USER" "$POSTGRES_DB" || true
  as pg_ctl -D "$PGDATA" -w stop
fi
exec setpriv --reuid postgres --regid postgres --clear-groups postgres -D "$PGDATA" -c listen_addresses='*'
`;

/** Like the official image, allows connections from other containers without a password. */
const REDIS_START = `#!/bin/sh
exec /usr/bin/redis-server --protected-mode no "$@"
`;

/** How to imitate each server's image, by the name of its repository. */
const STAND_INS = {
  postgres: [
    'ENTRYPOINT ["/usr/local/bin/start-postgres"]',
    'ENV PATH=/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ],
  redis: ['ENTRYPOINT []'],
  'versity/versitygw': ['ENTRYPOINT ["/usr/local/bin/versitygw"]'],
};

/**
 * Provides the images of other projects that Compose files refer to. Pulls them if a registry is reachable; otherwise,
 * builds images with Debian's programs and loads them under the names that `checkNameOf` gives them.
 * @param {readonly string[]} names for example `redis:8-bookworm`
 * @returns {Promise<string[]>} those that were built
 */
export async function provideServers(names, say) {
  const built = [];
  for (const name of names) {
    if (hasDockerImage(name) || docker.try('pull', '--quiet', name)) continue;
    say(`${name} cannot be pulled; a stand-in with Debian's program takes its place.`);
    loadImage(await standIn(name, say), checkNameOf(name));
    built.push(name);
  }
  return built;
}

/** @returns the name of the image in Buildah's store */
async function standIn(name, say) {
  const repository = name.replace(/:[^:]*$/, '');
  const config = STAND_INS[repository];
  if (config === undefined) throw new SetupError(`There is no stand-in for the image ${name}.`);
  const folder = join(CACHE, 'servers', repository.replaceAll('/', '-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const lines = ['FROM scratch', 'ADD servers.tar /', 'COPY bin/ /usr/local/bin/', ...config];
  writeFileSync(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
  copyFileSync(await debianServers(say), join(folder, 'servers.tar'));
  mkdirSync(join(folder, 'bin'));
  const starters = { 'start-postgres': POSTGRES_START, 'redis-server': REDIS_START };
  for (const [program, text] of Object.entries(starters))
    writeFileSync(join(folder, 'bin', program), text, { mode: 0o755 });
  if (existsSync(VERSITYGW)) copyFileSync(VERSITYGW, join(folder, 'bin', 'versitygw'));
  const tag = `localhost/stand-in/${name}`;
  buildah('bud', '--isolation=chroot', '--format=docker', `--tag=${tag}`, folder);
  rmSync(folder, { recursive: true });
  return tag;
}

/**
 * A Debian archive with the servers, which is kept for later calls.
 * @throws SetupError when no mirror can be reached
 */
async function debianServers(say) {
  if (existsSync(BASE)) return BASE;
  say('Making a Debian 12 with PostgreSQL and Redis (a minute, the first time only) …');
  const draft = `${BASE}.part`;
  const hooks = '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr';
  const unwanted = ['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  const include = `--include=${PACKAGES.join(',')}`;
  const args = ['--variant=minbase', '--format=tar', hooks, include, ...unwanted, 'bookworm', draft];
  const [code] = await once(spawn('mmdebstrap', args, { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new SetupError('mmdebstrap could not make a Debian 12 with PostgreSQL and Redis.');
  renameSync(draft, BASE);
  return BASE;
}

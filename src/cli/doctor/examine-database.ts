import type { Config } from '../../config/env.js';
import { databaseUrlFor } from '../../infra/database/embedded/database-url.js';
import { locateBinaries } from '../../infra/database/embedded/postgres-binaries.js';
import { CLOCK_ADVICE, clockDifference } from '../../kernel/time/clock-difference.js';
import { type DatabaseFacts, readDatabaseFacts } from './database-facts.js';
import { type Finding, missing, ok, reasonOf } from './finding.js';

const OLDEST_MAJOR = 14;
const GRANTS = 'Let its user own the database, or grant what docs/postgresql.md lists.';

/** What the service uses an address for. */
interface Use {
  readonly writes: boolean;
  /** Migrations run there. */
  readonly migrates: boolean;
  /** The queue creates its schema there. */
  readonly queues: boolean;
}

/** An address that answered. */
interface Answered {
  readonly variable: string;
  readonly use: Use;
  readonly facts: DatabaseFacts;
}

/** Checks that PostgreSQL responds, or can be started, and that the service can use every address. */
export async function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const url = await databaseUrlFor(config).catch(() => undefined);
  const own = addressesOf(config);
  if (own.length > 0) return examineAddresses(own);
  if (url !== undefined) return [await examineEmbedded(url)];
  try {
    locateBinaries();
    return [
      ok('database', 'not running; "npm start" runs an embedded PostgreSQL, and its programs are installed'),
    ];
  } catch (error) {
    return [
      missing(
        'database',
        `the embedded PostgreSQL cannot run here (${reasonOf(error)})`,
        'Set DATABASE_URL to your own PostgreSQL server, version 14 or newer.',
      ),
    ];
  }
}

interface Address {
  readonly variable: string;
  readonly url: string;
  readonly use: Use;
}

/** The variables that are set. */
function addressesOf(config: Config): readonly Address[] {
  const { databaseUrl, databaseDirectUrl, databaseReadUrl, redisUrl } = config;
  const direct = { writes: true, migrates: true, queues: redisUrl === undefined };
  const pooled = { writes: true, migrates: false, queues: false };
  const addresses = [
    { variable: 'DATABASE_URL', url: databaseUrl, use: databaseDirectUrl === undefined ? direct : pooled },
    { variable: 'DATABASE_DIRECT_URL', url: databaseDirectUrl, use: direct },
    {
      variable: 'DATABASE_READ_URL',
      url: databaseReadUrl,
      use: { writes: false, migrates: false, queues: false },
    },
  ];
  return addresses.filter((address): address is Address => address.url !== undefined);
}

async function examineAddresses(addresses: readonly Address[]): Promise<readonly Finding[]> {
  const looked = await Promise.all(
    addresses.map(async ({ variable, url, use }) => {
      try {
        return { variable, use, facts: await readDatabaseFacts(url) };
      } catch (error) {
        const advice = `Check address, user, password, network and TLS of ${variable}.`;
        return missing('database', `${nameOf(variable)} does not answer (${reasonOf(error)})`, advice);
      }
    }),
  );
  const first = looked.find((answer) => 'facts' in answer);
  const findings = looked.map((answer) => ('facts' in answer ? findingOf(answer, first!) : answer));
  return [...findings, ...(first === undefined ? [] : clockFindings(first.facts.clockAheadMs))];
}

/** No finding for clocks that agree. */
function clockFindings(clockAheadMs: number): readonly Finding[] {
  const difference = clockDifference(clockAheadMs);
  return difference === undefined ? [] : [missing('clock', difference, CLOCK_ADVICE)];
}

async function examineEmbedded(url: string): Promise<Finding> {
  const name = 'the embedded PostgreSQL of the running service';
  try {
    return versionFinding(name, await readDatabaseFacts(url));
  } catch (error) {
    const advice = 'Stop the service and start it again.';
    return missing('database', `${name} does not answer (${reasonOf(error)})`, advice);
  }
}

/** @param first all addresses must lead to its database */
function findingOf({ variable, use, facts }: Answered, first: Answered): Finding {
  const name = nameOf(variable);
  const fault = (text: string, advice: string): Finding => missing('database', `${name} ${text}`, advice);
  if (use.writes && facts.isReadOnly)
    return fault('is read-only, as a standby is', `Set ${variable} to the address of the primary.`);
  const sameDatabase = `All addresses must lead to one database: compare ${variable} and ${first.variable}.`;
  if (facts.database !== first.facts.database)
    return fault(`is "${facts.database}", not "${first.facts.database}"`, sameDatabase);
  if (isOtherServer(facts, first.facts))
    return fault(`is on another server than that of ${first.variable}`, sameDatabase);
  if (use.migrates && !facts.canCreateTables) return fault('does not let its user create tables', GRANTS);
  if (use.queues && !facts.canCreateSchemas)
    return fault('does not let its user create the schema "bullmq"', `${GRANTS} Or set REDIS_URL.`);
  return versionFinding(name, facts);
}

function isOtherServer({ server }: DatabaseFacts, first: DatabaseFacts): boolean {
  return server !== undefined && first.server !== undefined && server !== first.server;
}

function versionFinding(name: string, { version, connections }: DatabaseFacts): Finding {
  const text = `${name} answers: PostgreSQL ${version}, ${connections} connections`;
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return ok('database', text);
  return missing('database', text, `Use PostgreSQL ${OLDEST_MAJOR} or newer.`);
}

function nameOf(variable: string): string {
  return `the database of ${variable}`;
}

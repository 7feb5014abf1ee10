import { lookup, Resolver } from 'node:dns/promises';
import { within } from '../../kernel/concurrency/within.js';

/**
 * How long a family of addresses may take after the other one was found. Some name servers and firewalls drop questions
 * for IPv6 addresses, and the resolver asks for longer than a connection may take.
 */
const SECOND_FAMILY_MS = 300;

/** Finds every address of a name. @throws an error with a `code` such as ENOTFOUND or ETIMEOUT */
export type HostLookup = (hostname: string) => Promise<readonly string[]>;

export interface HostLookupOptions {
  /** Time limit for the response of one name server. */
  readonly timeoutMs: number;
  /**
   * Asks the operating system (hosts file, search domains) for names that the name servers do not know. These are names
   * of private machines, so this is for installations that may connect to them.
   */
  readonly useSystemNames: boolean;
  /** Name servers to use instead of the system's, as `address:port`. */
  readonly servers?: readonly string[];
}

/**
 * Creates a lookup that does not delay other lookups. Node's default lookup occupies a thread of a small pool, at most
 * half of which may look up names: two names whose servers never respond would block all others.
 */
export function createHostLookup(options: HostLookupOptions): HostLookup {
  const resolver = new Resolver({ timeout: options.timeoutMs, tries: 2 });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const secondFamilyMs = Math.min(SECOND_FAMILY_MS, options.timeoutMs / 2);
  const askSystem = async (hostname: string) => {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  };
  return async (hostname) => {
    // Such names belong to this machine or network: no name server needs to know `localhost`.
    if (options.useSystemNames && !hostname.includes('.')) return askSystem(hostname);
    // IPv4 first, because a host without IPv6 would otherwise lose time.
    const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    try {
      await Promise.any(queries);
    } catch (error) {
      if (options.useSystemNames) return askSystem(hostname);
      throw (error as AggregateError).errors[0] as Error;
    }
    const found = await Promise.all(queries.map((query) => within(secondFamilyMs, query).catch(() => [])));
    return found.flat();
  };
}

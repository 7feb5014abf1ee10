import { lookup, Resolver } from 'node:dns/promises';
import { within } from '../../kernel/concurrency/within.js';

/**
 * How long IPv6 addresses may take after IPv4 addresses were found. Some name servers and firewalls drop questions for
 * IPv6 addresses, and the resolver asks for longer than a connection may take.
 */
const IPV6_LIMIT_MS = 300;

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
  const ipv6LimitMs = Math.min(IPV6_LIMIT_MS, options.timeoutMs / 2);
  // Long enough to ask again: many hosts have no IPv6, so that a lost response must not leave IPv6 addresses only.
  const ipv4LimitMs = 1.5 * options.timeoutMs;
  const askSystem = async (hostname: string) => {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  };
  return async (hostname) => {
    // Such names belong to this machine or network: no name server needs to know `localhost`.
    if (options.useSystemNames && !hostname.includes('.')) return askSystem(hostname);
    // IPv4 first, because a host without IPv6 would otherwise lose time.
    const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const;
    try {
      await Promise.any(queries);
    } catch (error) {
      if (options.useSystemNames) return askSystem(hostname);
      throw (error as AggregateError).errors[0] as Error;
    }
    const ipv4 = await within(ipv4LimitMs, queries[0]).catch(() => []);
    const ipv6 = await within(ipv6LimitMs, queries[1]).catch(() => []);
    return [...ipv4, ...ipv6];
  };
}

import { lookup, Resolver } from 'node:dns/promises';

/** Finds every address of a name. @throws an error with a `code` such as ENOTFOUND or ETIMEOUT */
export type HostLookup = (hostname: string) => Promise<readonly string[]>;

export interface HostLookupOptions {
  /** How long one name server may take to answer. */
  readonly timeoutMs: number;
  /**
   * Asks the operating system for names that the name servers do not know: hosts file, search domains. These are names
   * of private machines, so this is for installations that may reach them.
   */
  readonly useSystemNames: boolean;
  /** Name servers to use instead of the system's, as `address:port`. */
  readonly servers?: readonly string[];
}

/**
 * A lookup that delays no others. Node's default one waits in a thread of a small pool, of which at most half may look
 * up names: two names whose servers never respond would block all others.
 */
export function createHostLookup(options: HostLookupOptions): HostLookup {
  const resolver = new Resolver({ timeout: options.timeoutMs, tries: 2 });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const askSystem = async (hostname: string) => {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  };
  return async (hostname) => {
    // Such names belong to this machine or network: no name server needs to know `localhost`.
    if (options.useSystemNames && !hostname.includes('.')) return askSystem(hostname);
    // IPv4 first: a host without IPv6 would lose time otherwise.
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    if (options.useSystemNames) return askSystem(hostname);
    const [failed] = answers;
    throw failed.status === 'rejected' ? (failed.reason as Error) : new Error(`${hostname} has no address.`);
  };
}

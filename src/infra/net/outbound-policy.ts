import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DEFAULT_WEBHOOK_PORTS, isPortIn, type PortRange } from '../../kernel/ports.js';

/** Destinations that customers may use in addition to the public internet over TLS. */
export interface OutboundPolicy {
  /** Whether `http:` is allowed. */
  readonly allowHttp: boolean;
  /**
   * Networks in CIDR notation that are allowed although they are not public, for example `127.0.0.0/8`.
   */
  readonly allowNetworks: readonly string[];
  /** Default: 80, 443, and all ports from 1024 up, except for those of well-known services. */
  readonly allowPorts?: readonly PortRange[];
}

/** The sentence after one that says what an address is. */
export const NOT_ALLOWED = 'Requests to such addresses are not allowed.';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Why this port is refused, as a sentence; undefined when it is allowed.
 * @param port as in a URL: empty for the default port of the protocol
 */
export function portFault(protocol: string, port: string, policy: OutboundPolicy): string | undefined {
  const { allowPorts = DEFAULT_WEBHOOK_PORTS } = policy;
  const number = port === '' ? DEFAULT_PORTS[protocol] : Number(port);
  if (number === undefined || isPortIn(allowPorts, number)) return undefined;
  const isDefault = allowPorts === DEFAULT_WEBHOOK_PORTS;
  const allowed = isDefault
    ? '80, 443, or a port from 1024 up that is not assigned to another well-known service'
    : `one of ${allowPorts.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(', ')}`;
  return `Port ${number} is not allowed. Use ${allowed}.`;
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Names for the ranges of ipaddr.js. A range that is not listed is "reserved". */
const RANGE_WORDS: Readonly<Record<string, string>> = {
  unspecified: 'unspecified ("this network")',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'link-local',
  loopback: 'a loopback address',
  carrierGradeNat: 'in the shared range of carrier-grade NAT (CGNAT)',
  private: 'private',
  uniqueLocal: 'private (unique local)',
  deprecatedSiteLocal: 'private (site-local)',
  ipv4Mapped: 'an IPv4-mapped IPv6 address',
  rfc6145: 'an IPv4-translated IPv6 address',
  rfc6052: 'a NAT64 address',
  '6to4': 'a 6to4 address',
  teredo: 'a Teredo address',
  benchmarking: 'reserved for benchmarking',
};

/**
 * Why connections to this address are refused, as the end of "192.168.0.1 is …"; undefined when they are allowed.
 * Closed by default: everything that is not public unicast is refused, including unknown ranges.
 * @param address a numeric address from a resolver
 */
export function addressFault(address: string, allowNetworks: readonly string[]): string | undefined {
  if (!ipaddr.isValid(address)) return 'not an IP address';
  const parsed = ipaddr.parse(address);
  if (allowNetworks.some((network) => isInside(parsed, network))) return undefined;
  const range: string = parsed.range();
  if (range !== 'unicast') return RANGE_WORDS[range] ?? 'reserved';
  // IPv4-compatible addresses and all unassigned ones are outside 2000::/3.
  if (parsed.kind() === 'ipv6' && !isWithin(parsed, GLOBAL_UNICAST)) return 'reserved';
  return undefined;
}

function isInside(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  return isWithin(address, ipaddr.parseCIDR(network));
}

function isWithin(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  network: readonly [ipaddr.IPv4 | ipaddr.IPv6, number],
): boolean {
  return address.kind() === network[0].kind() && address.match([network[0], network[1]]);
}

/**
 * The address in the host part of a URL, without brackets; undefined when it is a name to look up. Matches Node, which
 * connects without a lookup to anything that it parses as an address.
 */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) !== 0 || ipaddr.isValid(bare) ? bare : undefined;
}

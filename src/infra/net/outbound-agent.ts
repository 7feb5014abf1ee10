import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIPv6 } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { AddressRefused } from './address-refused.js';
import {
  addressFault,
  literalAddress,
  NOT_ALLOWED,
  type OutboundPolicy,
  portFault,
} from './outbound-policy.js';
import { createHostLookup, type HostLookup } from './host-lookup.js';

export interface OutboundAgentOptions extends OutboundPolicy {
  /** For the lookup, the connection, and the TLS handshake together. */
  readonly connectTimeoutMs: number;
  /** How names are resolved; for tests, and for hosts with their own name servers. */
  readonly lookup?: HostLookup;
  /** Certificate authority (PEM) to trust instead of the default ones; for tests. */
  readonly certificateAuthority?: string;
}

/**
 * How long an idle connection stays open, whatever its server requests. By default, undici honors a `Keep-Alive` header
 * of up to ten minutes, so a customer with many host names could keep thousands of connections open.
 */
const MAX_IDLE_MS = 4_000;

/**
 * A dispatcher for addresses that customers chose. It checks the addresses of the actual connection: it resolves a name
 * once, checks all its addresses, and passes only these to the socket. A name that changes its address between check
 * and use therefore gains nothing (DNS rebinding), and every redirect that a client follows is checked like the first
 * request. Use it with undici's `request`, which follows no redirects. A refused address rejects the request with
 * `AddressRefused`.
 */
export function createOutboundAgent(options: OutboundAgentOptions): Dispatcher {
  const { allowNetworks, connectTimeoutMs } = options;
  const find =
    options.lookup ??
    createHostLookup({ timeoutMs: connectTimeoutMs / 2, useSystemNames: allowNetworks.length > 0 });
  const connectChecked = buildConnector({
    timeout: connectTimeoutMs,
    lookup: checkedLookup(find, allowNetworks),
    autoSelectFamily: true,
    ...(options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority }),
  });
  return new Agent({
    keepAliveMaxTimeout: MAX_IDLE_MS,
    connect: (target, callback) => {
      const fault = targetFault(target, options);
      if (fault === undefined) connectChecked(target, callback);
      else callback(new AddressRefused(fault), null);
    },
  });
}

/** Checks hosts that are already addresses, because Node does not look these up. */
function targetFault(target: buildConnector.Options, policy: OutboundPolicy): string | undefined {
  if (target.protocol !== 'https:' && !(target.protocol === 'http:' && policy.allowHttp)) {
    return `Only https is allowed, not ${target.protocol.replace(':', '')}.`;
  }
  const wrongPort = portFault(target.protocol, target.port, policy);
  if (wrongPort !== undefined) return wrongPort;
  const literal = literalAddress(target.hostname);
  if (literal === undefined) return undefined;
  const fault = addressFault(literal, policy.allowNetworks);
  return fault === undefined ? undefined : `${literal} is ${fault}. ${NOT_ALLOWED}`;
}

/**
 * A `lookup` of node:net that returns only checked addresses, and none when a single one is refused. With
 * `autoSelectFamily`, Node requests all addresses at once.
 */
function checkedLookup(find: HostLookup, allowNetworks: readonly string[]) {
  return callbackify(async (hostname: string, _options: LookupOptions): Promise<LookupAddress[]> => {
    const addresses = await find(hostname);
    if (addresses.length === 0) throw new Error(`${hostname} has no address.`);
    for (const address of addresses) {
      const fault = addressFault(address, allowNetworks);
      // Does not reveal the address, which may belong to an internal network.
      if (fault !== undefined) {
        throw new AddressRefused(`${hostname} resolves to an address that is ${fault}. ${NOT_ALLOWED}`);
      }
    }
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  });
}

import ipaddr from 'ipaddr.js';

/**
 * The canonical form of an address or network: CIDR notation without host bits. `192.0.2.7` becomes `192.0.2.7/32`, and
 * `10.1.2.3/8` becomes `10.0.0.0/8`. Undefined for anything else, including IPv4 addresses in IPv6 form and zones.
 */
export function normalizedNetwork(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  if (rest.length > 0 || !isPlainAddress(address)) return undefined;
  const parsed = ipaddr.parse(address);
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined;
  const length = prefix === undefined ? bits : Number(prefix);
  if (length > bits) return undefined;
  const cidr = `${parsed.toString()}/${length}`;
  const network =
    parsed.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return `${network.toString()}/${length}`;
}

function isPlainAddress(address: string): boolean {
  if (address.includes('%')) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return true;
  return ipaddr.IPv6.isValid(address) && !ipaddr.IPv6.parse(address).isIPv4MappedAddress();
}

/**
 * Whether an address is in one of these networks. An IPv4 client in IPv6 form (`::ffff:192.0.2.7`, on a dual-stack
 * socket) counts as IPv4.
 */
export function isAddressIn(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return networks.some((network) => {
    const [base, length] = ipaddr.parseCIDR(network);
    return base.kind() === client.kind() && client.match([base, length]);
  });
}

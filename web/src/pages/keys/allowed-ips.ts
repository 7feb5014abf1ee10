/** One address or network per line, or separated by commas or spaces. */
export function parseAllowedIps(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

/** A single address, without the prefix length that the service adds. */
export function shownAllowedIp(network: string): string {
  return network.replace(/^([\d.]+)\/32$|^([\da-f:]+)\/128$/, '$1$2');
}

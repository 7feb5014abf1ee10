const ADDRESS_WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

/**
 * An `X-Forwarded-For` header without the ports of its addresses, which some proxies add, such as the Application
 * Gateway of Azure. An address with a port would match no network, and all such clients would count as one.
 */
export function withoutPorts(forwardedFor: string): string {
  const addresses = forwardedFor.split(',').map((entry) => {
    const text = entry.trim();
    const { v4, v6 } = ADDRESS_WITH_PORT.exec(text)?.groups ?? {};
    return v4 ?? v6 ?? text;
  });
  return addresses.join(', ');
}

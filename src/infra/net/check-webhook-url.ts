import { addressFault, literalAddress, type OutboundRules, portFault } from './address-rules.js';

const MAX_LENGTH = 2048;

/**
 * What can be said against an address when somebody enters it, before it is ever called: `null`, or a
 * sentence for people. A courtesy only: what a name resolves to is checked at each connection
 * (`createOutboundAgent`).
 */
export function checkWebhookUrl(text: string, rules: OutboundRules): string | null {
  if (text.length > MAX_LENGTH) return `The address is longer than ${MAX_LENGTH} characters.`;
  if (!URL.canParse(text))
    return 'This is not an address. Give a whole one, such as https://example.com/webhooks.';
  const url = new URL(text);
  const schemeFault = checkScheme(url.protocol, rules);
  if (schemeFault !== null) return schemeFault;
  if (url.username !== '' || url.password !== '') {
    return 'The address must not hold a user name or password. Check the signature instead.';
  }
  return checkHost(url.hostname, rules) ?? portFault(url.protocol, url.port, rules) ?? null;
}

function checkScheme(protocol: string, rules: OutboundRules): string | null {
  if (protocol === 'https:' || (protocol === 'http:' && rules.allowHttp)) return null;
  return rules.allowHttp
    ? 'The address must begin with https:// or http://.'
    : 'The address must begin with https://.';
}

function checkHost(hostname: string, rules: OutboundRules): string | null {
  const literal = literalAddress(hostname);
  if (literal !== undefined) {
    const fault = addressFault(literal, rules.allowNetworks);
    return fault === undefined ? null : `${literal} is ${fault}, so nothing is sent there.`;
  }
  const name = hostname.replace(/\.$/, '');
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  if (isLocal && addressFault('127.0.0.1', rules.allowNetworks) !== undefined) {
    return `${name} is a loopback address, so nothing is sent there.`;
  }
  return null;
}

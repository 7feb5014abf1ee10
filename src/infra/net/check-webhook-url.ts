import {
  addressFault,
  literalAddress,
  NOT_ALLOWED,
  type OutboundPolicy,
  portFault,
} from './outbound-policy.js';

const MAX_LENGTH = 2048;

/**
 * Checks a URL when a customer enters it, before it is ever called. Returns `null` or what is wrong with it. This is
 * only early feedback: the addresses to which a name resolves are checked for each connection (`createOutboundAgent`).
 */
export function checkWebhookUrl(text: string, policy: OutboundPolicy): string | null {
  if (text.length > MAX_LENGTH) return `The URL is longer than ${MAX_LENGTH} characters.`;
  if (!URL.canParse(text))
    return 'This is not a valid URL. Enter a complete one, such as https://example.com/path.';
  const url = new URL(text);
  const schemeFault = checkScheme(url.protocol, policy);
  if (schemeFault !== null) return schemeFault;
  if (url.username !== '' || url.password !== '') {
    return 'The URL must not contain a user name or password.';
  }
  return checkHost(url.hostname, policy) ?? portFault(url.protocol, url.port, policy) ?? null;
}

function checkScheme(protocol: string, policy: OutboundPolicy): string | null {
  if (protocol === 'https:' || (protocol === 'http:' && policy.allowHttp)) return null;
  return policy.allowHttp
    ? 'The URL must begin with https:// or http://.'
    : 'The URL must begin with https://.';
}

function checkHost(hostname: string, policy: OutboundPolicy): string | null {
  const literal = literalAddress(hostname);
  if (literal !== undefined) {
    const fault = addressFault(literal, policy.allowNetworks);
    return fault === undefined ? null : `${literal} is ${fault}. ${NOT_ALLOWED}`;
  }
  const name = hostname.replace(/\.$/, '');
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  if (isLocal && addressFault('127.0.0.1', policy.allowNetworks) !== undefined) {
    return `${name} resolves to a loopback address. ${NOT_ALLOWED}`;
  }
  return null;
}

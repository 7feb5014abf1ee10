import { describe, expect, it } from 'vitest';
import { checkWebhookUrl } from './check-webhook-url.js';

const CLOSED = { allowHttp: false, allowNetworks: [] };
const DEVELOPMENT = { allowHttp: true, allowNetworks: ['127.0.0.0/8', '::1/128'] };

describe('checkWebhookUrl', () => {
  it.each([
    'https://example.com/hooks',
    'https://example.com:8443/hooks?team=1#part',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://bücher.example/',
    'https://localhost.example.com/',
  ])('accepts %s', (url) => {
    expect(checkWebhookUrl(url, CLOSED)).toBeNull();
  });

  it.each([
    ['', /not a valid URL/],
    ['example.com/hooks', /not a valid URL/],
    ['https://', /not a valid URL/],
    ['https://exa mple.com', /not a valid URL/],
    ['http://example.com', /must begin with https:\/\/\.$/],
    ['ftp://example.com', /must begin with https/],
    ['file:///etc/passwd', /must begin with https/],
    ['javascript:alert(1)', /must begin with https/],
    ['https://me:secret@example.com', /user name or password/],
    ['https://me@example.com', /user name or password/],
    [`https://example.com/${'a'.repeat(2048)}`, /longer than 2048/],
    ['https://127.0.0.1', /127\.0\.0\.1 is a loopback address/],
    ['https://127.1', /127\.0\.0\.1 is a loopback/],
    ['https://2130706433', /127\.0\.0\.1 is a loopback/],
    ['https://0x7f000001', /127\.0\.0\.1 is a loopback/],
    ['https://0177.0.0.1', /127\.0\.0\.1 is a loopback/],
    ['https://0x7f.0.0.0x1', /127\.0\.0\.1 is a loopback/],
    ['https://①②⑦.0.0.1', /127\.0\.0\.1 is a loopback/],
    ['https://127。0。0。1', /127\.0\.0\.1 is a loopback/],
    ['https://127.0.0.1.', /127\.0\.0\.1 is a loopback/],
    ['https://169.254.169.254/latest/meta-data', /link-local/],
    ['https://[::1]', /::1 is a loopback/],
    ['https://[0:0:0:0:0:0:0:1]', /loopback/],
    ['https://[::ffff:127.0.0.1]', /mapped/],
    ['https://[::127.0.0.1]', /reserved/],
    ['https://[64:ff9b::10.0.0.1]', /NAT64/],
    ['https://[2002:a00:1::]', /6to4/],
    ['https://[fe80::1]', /link-local/],
    ['https://example.com:22/', /Port 22 is not allowed\. Use 80, 443, or a port from 1024 up/],
    ['https://example.com:25/', /Port 25 is not/],
    ['https://example.com:5432/', /Port 5432 is not/],
    ['https://example.com:6379/', /Port 6379 is not/],
    ['https://example.com:1023/', /Port 1023 is not/],
    ['https://example.com:0/', /Port 0 is not/],
    ['https://8.8.8.8:11211/', /Port 11211 is not/],
    ['https://localhost', /loopback/],
    ['https://localhost.:8443/x', /loopback/],
    ['https://LOCALHOST', /loopback/],
    ['https://a.b.localhost', /loopback/],
  ])('refuses %s', (url, reason) => {
    expect(checkWebhookUrl(url, CLOSED)).toMatch(reason);
  });

  it('accepts local addresses where the configuration allows them', () => {
    for (const url of [
      'http://127.0.0.1:9000/',
      'http://localhost:9000',
      'http://[::1]',
      'https://a.localhost',
    ]) {
      expect(checkWebhookUrl(url, DEVELOPMENT), url).toBeNull();
    }
    expect(checkWebhookUrl('http://10.0.0.1/', DEVELOPMENT)).toMatch(/private/);
    expect(checkWebhookUrl('ftp://127.0.0.1/', DEVELOPMENT)).toBe(
      'The URL must begin with https:// or http://.',
    );
  });

  it('accepts other ports where the operator allows them', () => {
    const rules = {
      ...CLOSED,
      allowPorts: [
        { first: 22, last: 22 },
        { first: 9000, last: 9001 },
      ],
    };
    expect(checkWebhookUrl('https://example.com:22/', rules)).toBeNull();
    expect(checkWebhookUrl('https://example.com:9001/', rules)).toBeNull();
    expect(checkWebhookUrl('https://example.com/', rules)).toBe(
      'Port 443 is not allowed. Use one of 22, 9000-9001.',
    );
  });
});

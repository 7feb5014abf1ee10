import { describe, expect, it } from 'vitest';
import { issuerUrl } from './issuer-url.js';

const { read } = issuerUrl('OIDC_ISSUER', { text: '', defaultText: 'none' });

describe('issuerUrl', () => {
  it.each([
    [undefined, undefined],
    [' ', undefined],
    ['https://accounts.example', 'https://accounts.example'],
    ['https://id.example/application/o/images/', 'https://id.example/application/o/images/'],
    [' https://login.example/tenant/v2.0 ', 'https://login.example/tenant/v2.0'],
    ['http://localhost:9000', 'http://localhost:9000'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ])('reads %j', (raw, issuer) => {
    expect(read(raw)).toBe(issuer);
  });

  it.each([
    'accounts.example',
    'http://accounts.example',
    'ftp://accounts.example',
    'https://user:password@accounts.example',
    'https://accounts.example?tenant=1',
  ])('refuses %s', (raw) => {
    expect(() => read(raw)).toThrow(/^must be an address beginning with https:/);
  });
});

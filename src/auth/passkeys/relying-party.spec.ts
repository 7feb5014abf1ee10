import { describe, expect, it } from 'vitest';
import { relyingPartyOf } from './relying-party.js';

const PUBLIC_URL = 'https://images.example/base';

describe('relyingPartyOf', () => {
  it.each([
    [{}, 'images.example', 'https://images.example'],
    [
      { origin: 'https://images.example', host: 'images.example' },
      'images.example',
      'https://images.example',
    ],
    // Behind a proxy that changes the host.
    [{ origin: 'https://images.example', host: 'api:3000' }, 'images.example', 'https://images.example'],
    [{ origin: 'http://localhost:3000', host: 'localhost:3000' }, 'localhost', 'http://localhost:3000'],
    [{ origin: 'null', host: 'localhost:3000' }, 'images.example', 'https://images.example'],
    [{ origin: 'https://evil.example', host: 'images.example' }, 'images.example', 'https://images.example'],
  ])('%j → %s, %s', (headers, id, origin) => {
    expect(relyingPartyOf(headers, PUBLIC_URL)).toEqual({ id, origin });
  });
});

import { describe, expect, it } from 'vitest';
import { ImageEnhancement } from '../../../../clients/js/src/node.js';

describe('a client', () => {
  it('can use another base path, and cookies instead of a key', async () => {
    const calls: [string, RequestInit][] = [];
    const page = new ImageEnhancement({
      baseUrl: 'https://images.example/',
      basePath: '/dashboard/api',
      credentials: 'same-origin',
      headers: () => ({ 'x-csrf': 'token' }),
      fetch: (input, init) => {
        calls.push([input as string, init!]);
        return Promise.resolve(Response.json({ plan: 'free' }));
      },
    });
    expect(await page.usage()).toEqual({ plan: 'free' });
    const [url, init] = calls[0]!;
    expect(url).toBe('https://images.example/dashboard/api/usage');
    expect(init.credentials).toBe('same-origin');
    expect(init.headers).toMatchObject({ 'x-csrf': 'token' });
    expect(init.headers).not.toHaveProperty('x-api-key');
  });

  it('rejects a bad base URL and a missing key', () => {
    expect(() => new ImageEnhancement({ baseUrl: 'images.example', apiKey: 'ies_x' })).toThrow(
      /begins with http/,
    );
    expect(() => new ImageEnhancement({ baseUrl: 'https://images.example' })).toThrow(/Give the key/);
  });
});

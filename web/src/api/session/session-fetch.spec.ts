import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const REFUSED = { title: 'No', status: 403, detail: 'No.', code: 'csrf_refused' };

describe('withCsrfToken', () => {
  const reload = vi.fn<() => void>();
  const sent: string[] = [];
  let send: typeof fetch;

  beforeEach(async () => {
    // The module stores the token of the page.
    vi.resetModules();
    const { keepToken, withCsrfToken } = await import('./session-fetch.js');
    send = withCsrfToken((_, init) => {
      const token = new Headers(init?.headers).get('x-csrf-token')!;
      sent.push(token);
      return Promise.resolve(token === 'new' ? Response.json({}) : Response.json(REFUSED, { status: 403 }));
    });
    sent.length = 0;
    reload.mockClear();
    vi.stubGlobal('window', { location: { reload } });
    keepToken('old', { id: 'acc_1' });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  const inAccount = (id: string): void => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ csrfToken: 'new', account: { id } })));
  };

  it('repeats a change with the new token of the same account', async () => {
    inAccount('acc_1');
    expect((await send('/keys', { method: 'POST' })).status).toBe(200);
    expect(sent).toEqual(['old', 'new']);
    expect(reload).not.toHaveBeenCalled();
  });

  it('changes nothing in another account, and reloads the page', async () => {
    inAccount('acc_2');
    expect((await send('/keys', { method: 'DELETE' })).status).toBe(403);
    expect(sent).toEqual(['old']);
    expect(reload).toHaveBeenCalledOnce();
  });
});

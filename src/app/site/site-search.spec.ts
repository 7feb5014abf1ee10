import { describe, expect, it } from 'vitest';
import { SiteSearch } from './site-search.js';

const entryOf = (id: string, body: string) => ({ id, page: 'Guide', title: id, body, weight: 1 });
const ENTRIES = [
  entryOf('webhooks', 'Verify the signature of a webhook delivery'),
  entryOf('numbers', 'one two three four five six seven eight'),
];

const foundBy = async (query: string): Promise<string[]> => {
  const search = new SiteSearch(() => Promise.resolve(ENTRIES));
  return (await search.find(query)).map(({ href }) => href);
};

describe('SiteSearch', () => {
  it('completes words of three letters and corrects typos in longer ones', async () => {
    expect(await foundBy('Sig')).toEqual(['webhooks']);
    expect(await foundBy('webhok signatur')).toEqual(['webhooks']);
  });

  it('matches one or two letters as a word only, because completing it finds nearly everything', async () => {
    expect(await foundBy('a')).toEqual(['webhooks']);
    expect(await foundBy('ve si')).toEqual([]);
  });

  it('finds a name with a colon as a whole, and its parts', async () => {
    const search = new SiteSearch(() =>
      Promise.resolve([
        entryOf('cases', 'read the image, image by image'),
        entryOf('scopes', 'image:read allows'),
      ]),
    );
    expect((await search.find('image:read')).map(({ href }) => href)).toEqual(['scopes']);
    expect(await search.find('image read')).toHaveLength(2);
  });

  it('ranks an entry first whose title is the query', async () => {
    const body = 'signed in with a second factor or passkeys';
    const long = {
      ...entryOf('two-factor', 'authentication, authentication'),
      title: 'Two-factor authentication',
    };
    const search = new SiteSearch(() =>
      Promise.resolve([long, { ...entryOf('keys', body), title: 'Authentication' }]),
    );
    expect((await search.find('authentication'))[0]?.href).toBe('keys');
  });

  it('limits the number of words, and counts a repeated word once', async () => {
    expect(await foundBy('one two three four five six seven eight ninth')).toEqual(['numbers']);
    expect(await foundBy(`${'one '.repeat(9)}ninth`)).toEqual([]);
  });

  it('builds the index again after a failure', async () => {
    let isReadable = false;
    const search = new SiteSearch(() =>
      isReadable ? Promise.resolve(ENTRIES) : Promise.reject(new Error('ENOENT')),
    );
    await expect(search.find('webhooks')).rejects.toThrow('ENOENT');
    isReadable = true;
    expect(await search.find('webhooks')).toHaveLength(1);
  });
});

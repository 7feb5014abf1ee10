import { describe, expect, it } from 'vitest';
import { sitePage } from './site-catalog.js';
import { type SiteFormat, withSiteLinks } from './site-links.js';

const shown = (text: string, name = 'webhooks', format: SiteFormat = 'html'): string =>
  withSiteLinks(text, sitePage(name)!, format);

describe('withSiteLinks', () => {
  it('points to pages and files of the site, from documents in any folder', () => {
    expect(shown('[jobs](jobs.md#dry-runs-dryrun)')).toBe('[jobs](../docs/jobs#dry-runs-dryrun)');
    expect(shown('[`clients/js`](../clients/js/README.md)')).toBe('[`clients/js`](../docs/javascript)');
    expect(shown('[API](openapi.json), ![trace](trace.svg)')).toBe(
      '[API](../openapi.json), ![trace](../docs/trace.svg)',
    );
    expect(shown('[all shapes](docs/command-line.md)', 'python')).toBe('[all shapes](../docs/command-line)');
  });

  it('points to Markdown in a document that is served as Markdown', () => {
    expect(shown('[jobs](jobs.md#callbacks), [API](openapi.json)', 'webhooks', 'markdown')).toBe(
      '[jobs](../docs/jobs.md#callbacks), [API](../openapi.json)',
    );
  });

  it('keeps the text of a link to a file that the site lacks, and removes a parenthesis of such links', () => {
    expect(shown('The [chart](../docker/helm/README.md) is new.')).toBe('The chart is new.');
    expect(shown('It waits\n([why](decisions/0190-equal-jobs-get-copies.md)). Then')).toBe('It waits. Then');
    expect(shown('a ([x](decisions/0001-a.md),\n[y](decisions/0002-b.md)) b')).toBe('a b');
    expect(shown('a ([x](decisions/0001-a.md), [jobs](jobs.md)) b')).toBe('a (x, [jobs](../docs/jobs)) b');
  });

  it('leaves other addresses and code alone', () => {
    for (const text of [
      '[a](https://example.com/a.md) [b](#anchor) [c](mailto:a@example.com)',
      'Call `f[0](x.md)` (a call).',
      '```js\nconst a = list[0](x);\n```',
      '- list\n\n  ```bash\n  echo ([why](x.md))\n  ```',
    ])
      expect(shown(text)).toBe(text);
  });
});

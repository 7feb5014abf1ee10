import type MiniSearch from 'minisearch';

/** A part of a page that a search can find. */
export interface SearchEntry {
  /** The path below `/docs/`, with its anchor. */
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly body: string;
  /** Weight of the entry in the ranking. */
  readonly weight: number;
}

export interface SearchHit {
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly excerpt: string;
}

/** In characters. Longer queries are truncated, because people do not type them and each word costs time. */
export const MAX_QUERY_LENGTH = 100;
/** Searches for more words block the process and find nothing more. */
const MAX_WORDS = 8;
/** In characters. A shorter word matches only itself, because it starts hundreds of others. */
const MIN_PREFIX_LENGTH = 3;
const MIN_FUZZY_LENGTH = 4;
const MAX_HITS = 12;
const EXCERPT_LENGTH = 160;
/** An entry whose whole title is the query. */
const TITLE_BOOST = 4;

/** Full-text search over the site. The index is built at the first search and kept. */
export class SiteSearch {
  private index: Promise<MiniSearch<SearchEntry>> | undefined;
  private bodies = new Map<string, string>();

  constructor(private readonly entries: () => Promise<readonly SearchEntry[]>) {}

  /** The best matches first. An empty query finds nothing. */
  async find(query: string): Promise<SearchHit[]> {
    const text = query.slice(0, MAX_QUERY_LENGTH).trim();
    if (text === '') return [];
    this.index ??= this.build().catch((error: unknown) => {
      // A failure, such as an unreadable file, is not kept.
      this.index = undefined;
      throw error;
    });
    const index = await this.index;
    return index
      .search(text, {
        tokenize: wordsOf,
        prefix: ({ length }) => length >= MIN_PREFIX_LENGTH,
        fuzzy: ({ length }) => length >= MIN_FUZZY_LENGTH && 0.15,
        boost: { title: 3, page: 2 },
        combineWith: 'AND',
        boostDocument: (_id, _term, stored) => {
          const isTitle = String(stored?.['title']).toLowerCase() === text.toLowerCase();
          return Number(stored?.['weight'] ?? 1) * (isTitle ? TITLE_BOOST : 1);
        },
      })
      .slice(0, MAX_HITS)
      .map(({ id, page, title, terms }) => ({
        href: String(id),
        page: String(page),
        title: String(title),
        excerpt: excerptOf(this.bodies.get(String(id)) ?? '', terms),
      }));
  }

  private async build(): Promise<MiniSearch<SearchEntry>> {
    const { default: Index } = await import('minisearch');
    const entries = await this.entries();
    const index = new Index<SearchEntry>({
      fields: ['title', 'page', 'body'],
      storeFields: ['page', 'title', 'weight'],
      tokenize: indexedWords,
    });
    // Indexes in chunks, so that other requests are served in between.
    await index.addAllAsync(entries, { chunkSize: 20 });
    this.bodies = new Map(entries.map(({ id, body }) => [id, body.replaceAll(/\s+/g, ' ')]));
    return index;
  }
}

/** Words end at spaces and punctuation. A name such as `image:read` is also a word. */
const SEPARATOR = /[\n\r\p{Z}\p{P}]+/u;
const NAME = /[a-z]+:[a-z]+/g;

function indexedWords(text: string): string[] {
  return [...text.split(SEPARATOR), ...(text.toLowerCase().match(NAME) ?? [])];
}

/** The first few different words of a query. */
function wordsOf(query: string): string[] {
  const text = query.toLowerCase();
  const words = [...(text.match(NAME) ?? []), ...text.replaceAll(NAME, ' ').split(SEPARATOR)];
  return [...new Set(words.filter((word) => word !== ''))].slice(0, MAX_WORDS);
}

/** The text around the first word that was found. */
function excerptOf(body: string, terms: readonly string[]): string {
  const lower = body.toLowerCase();
  const at = Math.max(
    0,
    Math.min(...terms.map((term) => lower.indexOf(term)).filter((each) => each >= 0), body.length),
  );
  const start = at >= body.length ? 0 : Math.max(0, at - 50);
  const text = body.slice(start, start + EXCERPT_LENGTH);
  return `${start > 0 ? '… ' : ''}${text}${start + EXCERPT_LENGTH < body.length ? ' …' : ''}`;
}

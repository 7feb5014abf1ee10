import pg from 'pg';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

const EXPLAINABLE = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i;

type Query = (...given: unknown[]) => Promise<pg.QueryResult<Explained>>;

/** Explains every statement of a connection pool right before it runs, on the same connection. */
export class RecordedPlans {
  private readonly pending: Promise<readonly string[]>[] = [];

  constructor(pool: pg.Pool) {
    const watched = new WeakSet<pg.PoolClient>();
    pool.on('acquire', (client) => {
      if (watched.has(client)) return;
      watched.add(client);
      this.watch(client);
    });
  }

  /** Tables that were read sequentially since the last call. */
  async takeSequentialScans(): Promise<ReadonlySet<string>> {
    const tables = await Promise.all(this.pending.splice(0));
    return new Set(tables.flat());
  }

  private watch(client: pg.PoolClient): void {
    const query: Query = client.query.bind(client);
    const watched: Query = (...given) => {
      const [first, second] = given;
      const { text, values } =
        typeof first === 'string'
          ? { text: first, values: Array.isArray(second) ? second : [] }
          : (first as Statement);
      if (EXPLAINABLE.test(text)) {
        const explained = query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values: [...(values ?? [])] });
        this.pending.push(explained.then(({ rows }) => scannedIn(rows[0]!['QUERY PLAN'][0].Plan)));
      }
      return query(...given);
    };
    client.query = watched;
  }
}

function scannedIn(node: PlanNode): readonly string[] {
  const below = (node.Plans ?? []).flatMap(scannedIn);
  return node['Node Type'] === 'Seq Scan' ? [node['Relation Name']!, ...below] : below;
}

/**
 * Returns SQL for the ids of the newest rows among several index ranges. A page costs one index descent for each
 * branch and at most `limit` of its entries. The indexes end in `id COLLATE "C"`, and so do these conditions: the
 * primary key has another collation, so no plan can scan it past the rows of all other accounts.
 * @param table the table, whose `id` sorts by time
 * @param condition of every branch
 * @param branches conditions, each of which fixes all columns of an index before `id`
 * @param limit a parameter, for example `$7`
 */
export function mergeNewest(
  table: string,
  condition: string,
  branches: readonly string[],
  limit: string,
): string {
  const newest = `ORDER BY id COLLATE "C" DESC LIMIT ${limit}`;
  const ranges = branches.map(
    (branch) => `(SELECT id FROM ${table} WHERE ${condition} AND ${branch} ${newest})`,
  );
  return `SELECT id FROM (${ranges.join(' UNION ALL ')}) ranges ${newest}`;
}

/**
 * Like `mergeNewest`, for every combination of several values. One subquery runs once for each combination, because
 * planning a branch for each of a hundred combinations takes longer than reading the page.
 * @param columns the columns of an index before `id`, each with a parameter that is an array of texts
 */
export function mergeNewestOfEach(
  table: string,
  condition: string,
  columns: Readonly<Record<string, string>>,
  limit: string,
): string {
  const newest = `ORDER BY id COLLATE "C" DESC LIMIT ${limit}`;
  const values = Object.entries(columns).map(
    ([column, parameter]) => `unnest(${parameter}::text[]) AS of_${column} (${column})`,
  );
  const equal = Object.keys(columns).map((column) => `t.${column} = of_${column}.${column}`);
  return `SELECT newest.id FROM ${values.join(' CROSS JOIN ')} CROSS JOIN LATERAL
    (SELECT id FROM ${table} t WHERE ${condition} AND ${equal.join(' AND ')} ${newest}) newest
    ORDER BY newest.id COLLATE "C" DESC LIMIT ${limit}`;
}

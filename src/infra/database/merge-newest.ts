/**
 * SQL for the ids of the newest rows among several index ranges: a page costs one descent of the index for
 * each branch and at most `limit` of its entries. The indexes end in `id COLLATE "C"`, and so do these
 * conditions: the primary key has another collation, and no plan walks along it past everybody else's rows.
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

import { CUSTOMERS } from './seed.mjs';

/** As many tables as hold nearly everything. */
const TABLES = 6;

/**
 * The size of the database and of its largest tables, including indexes.
 * @param {import('pg').Client} client
 * @returns {Promise<{ bytes: number, tables: { name: string, bytes: number }[] }>}
 */
export async function databaseSize(client) {
  const { rows: total } = await client.query('SELECT pg_database_size(current_database())::float8 AS bytes');
  const { rows: tables } = await client.query(
    `SELECT relname AS name, pg_total_relation_size(relid)::float8 AS bytes FROM pg_stat_user_tables
     ORDER BY bytes DESC, name LIMIT ${TABLES}`,
  );
  return { bytes: total[0].bytes, tables };
}

/** @param {{ jobs: number, bytes: number, tables: { name: string, bytes: number }[] }[]} sizes */
export function sizeLines(sizes) {
  const lines = sizes.map(({ jobs, bytes, tables }) => {
    const largest = tables.map((table) => `${table.name} ${megabytes(table.bytes)}`).join(', ');
    return `${counted(jobs)} ended jobs and ${counted(CUSTOMERS)} accounts take ${megabytes(bytes)}: ${largest}\n`;
  });
  return lines.join('');
}

function counted(number) {
  return number.toLocaleString('en');
}

function megabytes(bytes) {
  const value = bytes / 1e6;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} MB`;
}

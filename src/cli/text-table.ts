/** Rows of text in aligned columns. The first row is the header. Columns of numbers are right-aligned. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column] ?? '')) ?? [];
  const aligned = columns.map((cells) => {
    const width = Math.max(...cells.map((cell) => cell.length));
    const isNumeric = cells.slice(1).every((cell) => /^[\d.,]*$|^–$/.test(cell));
    return cells.map((cell) => (isNumeric ? cell.padStart(width) : cell.padEnd(width)));
  });
  return rows
    .map((_, row) =>
      aligned
        .map((cells) => cells[row])
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

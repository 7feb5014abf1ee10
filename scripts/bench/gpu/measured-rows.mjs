/**
 * Measurements, one after the other. After each, a line with all rows so far is printed, so that a program which is
 * ended at its time limit leaves what it measured. A row with a fault makes the exit code 1.
 */
export class MeasuredRows {
  /** @param {(row: { fault?: string }) => void} [print] prints something else after each row */
  constructor(print) {
    this.rows = [];
    this.print = print ?? (() => process.stdout.write(`${JSON.stringify(this.rows)}\n`));
  }

  add(row) {
    this.rows.push(row);
    if (row.fault !== undefined) process.exitCode = 1;
    this.print(row);
  }
}

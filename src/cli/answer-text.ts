import { type CommandAnswer, Printed } from './administered.js';
import { textTable } from './text-table.js';

type Row = Readonly<Record<string, unknown>>;

const INDENT = '  ';
/** Longer lists of texts have a line for each, for example the lines of a log. */
const LIST_CHARACTERS = 100;

/** More digits would only be noise. `--json` has all of them. */
const [DECIMALS, SMALL_DIGITS] = [2, 3];

/** The output of a command of `npm run admin` without `--json`: for each row, a line per value and a table per list. */
export function answerText(answer: NonNullable<CommandAnswer>): string {
  if (answer instanceof Printed) return answer.text;
  // As with `--json`, so that times are texts.
  const rows = [JSON.parse(JSON.stringify(answer)) as Row | readonly Row[]].flat();
  if (rows.length === 0) return 'none\n';
  return `${rows.map((row) => Object.entries(row).map(entryText).join('\n')).join('\n\n')}\n`;
}

function entryText([name, value]: readonly [string, unknown]): string {
  const text = valueText(value);
  const lines = isTable(value)
    ? textTable(tableOf(value)).split('\n')
    : Array.isArray(value) && text.length > LIST_CHARACTERS
      ? value.map(valueText)
      : undefined;
  return lines === undefined
    ? `${name}: ${text}`
    : [`${name}:`, ...lines.map((line) => INDENT + line)].join('\n');
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

function tableOf(rows: readonly Row[]): string[][] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [names, ...rows.map((row) => names.map((name) => cellText(row[name])))];
}

const cellText = (value: unknown): string => valueText(value).replaceAll(/\s+/g, ' ');

/** A value on one line. An object is written as `--limits` reads one. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) {
    const texts = value.map(valueText);
    return texts.length === 0 ? 'none' : texts.join(value.some(isRow) ? '; ' : ', ');
  }
  if (isRow(value)) {
    const texts = Object.entries(value).map(([name, part]) => `${name}=${valueText(part)}`);
    return texts.length === 0 ? 'none' : texts.join(', ');
  }
  if (typeof value === 'number') return numberText(value);
  return withoutControls(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Measured values have up to 17 digits. */
function numberText(value: number): string {
  const isSmall = Math.abs(value) < 1;
  return String(Number(isSmall ? value.toPrecision(SMALL_DIGITS) : value.toFixed(DECIMALS)));
}

/** Customers choose some of the texts, and a terminal carries out escape sequences. */
function withoutControls(text: string): string {
  return text.replaceAll(
    /(?![\n\t])\p{Cc}/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

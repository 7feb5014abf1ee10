/** One log line, prepared for display. */
export interface LogLine {
  /** Time of day; empty when the line has none. */
  readonly time: string;
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  /** All other fields of the line. */
  readonly fields: string;
}

const WARN = 40;
const ERROR = 50;

/** Fields that every line has, or that are shown elsewhere. */
const SHOWN = new Set(['level', 'time', 'msg', 'role', 'pid']);

/** Parses a line that the service wrote as a JSON object. Other text stays unchanged. */
export function readLogLine(line: string): LogLine {
  const record = recordOf(line);
  if (record === null) return { time: '', level: 'info', text: line, fields: '' };
  const level = Number(record['level']);
  const others = Object.entries(record).filter(([name]) => !SHOWN.has(name));
  return {
    time: timeOf(record['time']),
    level: level >= ERROR ? 'error' : level >= WARN ? 'warn' : 'info',
    text: typeof record['msg'] === 'string' ? record['msg'] : '',
    fields: others.map(([name, value]) => `${name}=${textOf(value)}`).join(' '),
  };
}

/** Null for text that is not a JSON object. */
function recordOf(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown> | null)
      : null;
  } catch {
    return null;
  }
}

function timeOf(time: unknown): string {
  const date = new Date(typeof time === 'string' ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleTimeString(undefined, { hour12: false });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

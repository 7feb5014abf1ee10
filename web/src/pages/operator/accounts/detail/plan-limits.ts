import { t } from '@lingui/core/macro';
import type { OwnLimits } from '../../../../api/operator/schema.js';

type LimitName = 'rpm' | 'enhancements' | 'storageBytes' | 'keys';

const GB = 2 ** 30;
const WHOLE = /^\d{1,10}$/;
const DECIMAL = /^\d{1,7}([.,]\d{1,3})?$/;

const WHOLE_FAULT = t`Enter a whole number`;
const DECIMAL_FAULT = t`Enter a number with up to three decimal places`;

const isWhole = (text: string): boolean => text.trim() === '' || WHOLE.test(text.trim());
const isDecimal = (text: string): boolean => text.trim() === '' || DECIMAL.test(text.trim());

/** The limits of a plan, as fields of a form. Storage is entered in GB. */
export const LIMITS: readonly {
  readonly name: LimitName;
  readonly label: string;
  readonly isValid: (text: string) => boolean;
  /** The error message for invalid text. */
  readonly fault: string;
}[] = [
  { name: 'rpm', label: t`Requests per minute per key`, isValid: isWhole, fault: WHOLE_FAULT },
  { name: 'enhancements', label: t`Enhancements per month`, isValid: isWhole, fault: WHOLE_FAULT },
  { name: 'storageBytes', label: t`Storage in GB`, isValid: isDecimal, fault: DECIMAL_FAULT },
  { name: 'keys', label: t`API keys`, isValid: isWhole, fault: WHOLE_FAULT },
];

export type LimitTexts = Readonly<Record<LimitName, string>>;

/** The initial values of the form; empty where the plan's limit applies. */
export function limitTexts(own: OwnLimits | null): LimitTexts {
  const text = (value: number | undefined): string => (value === undefined ? '' : String(value));
  const bytes = own?.storageBytes;
  return {
    rpm: text(own?.rpm),
    enhancements: text(own?.enhancements),
    storageBytes: text(bytes === undefined ? undefined : Math.round((bytes / GB) * 1_000) / 1_000),
    keys: text(own?.keys),
  };
}

/**
 * The entered limits; undefined while one of them is not a number.
 * @param own limits before. An unchanged text keeps the exact one, which a field in GB may show rounded.
 */
export function enteredLimits(
  texts: LimitTexts,
  own: OwnLimits | null = null,
): Partial<Record<LimitName, number>> | undefined {
  if (LIMITS.some(({ name, isValid }) => !isValid(texts[name]))) return undefined;
  const before = limitTexts(own);
  const entered = LIMITS.map(({ name }) => ({ name, text: texts[name].trim() })).filter(
    ({ text }) => text !== '',
  );
  return Object.fromEntries(
    entered.map(({ name, text }) => [name, text === before[name] ? own?.[name] : valueOf(name, text)]),
  );
}

const valueOf = (name: LimitName, text: string): number =>
  name === 'storageBytes' ? Math.round(Number(text.replace(',', '.')) * GB) : Number(text);

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';

export const MIN_CANCEL_SECONDS = 5;
export const MAX_CANCEL_SECONDS = 7 * 86_400;

/** For the OpenAPI document. */
export const CANCEL_AFTER_PATTERN = '^(?=.)(\\d{1,6}|(\\d{1,3}h)?(\\d{1,5}m)?(\\d{1,6}s)?)$';
const UNITS = /^(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$/;

/**
 * Reads a time such as `60s`, `5m`, `1h30m`, or `60` in seconds.
 * @returns seconds; undefined for another text or a time out of range
 */
export function cancelSecondsOf(text: string): number | undefined {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : secondsOfUnits(text);
  if (seconds === undefined) return undefined;
  return seconds >= MIN_CANCEL_SECONDS && seconds <= MAX_CANCEL_SECONDS ? seconds : undefined;
}

function secondsOfUnits(text: string): number | undefined {
  const [, hours = '0', minutes = '0', seconds = '0'] = UNITS.exec(text) ?? [];
  const total = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return total === 0 ? undefined : total;
}

/** @throws AppError `invalid_request` */
export function requiredCancelSeconds(field: string, text: string): number {
  const seconds = cancelSecondsOf(text);
  if (seconds !== undefined) return seconds;
  const message = `${field} must be a time from ${MIN_CANCEL_SECONDS} seconds to 7 days, such as 60s, 5m or 1h30m.`;
  throw invalidRequest([{ field, code: 'format', message }]);
}

/** The header in the OpenAPI document. */
export const CANCEL_AFTER_HEADER = {
  name: 'Cancel-After',
  required: false,
  description: 'As `cancelAfter` in the body. Send one of them.',
  schema: { type: 'string', pattern: CANCEL_AFTER_PATTERN, example: '60s' },
};

/** The `Cancel-After` header, if present, and valid. */
export const CancelAfter = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined => {
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers['cancel-after'];
    if (header === undefined) return undefined;
    const text = String(header);
    requiredCancelSeconds('Cancel-After', text);
    return text;
  },
);

/** A request with the header's value as its `cancelAfter`. @throws AppError `invalid_request` when both are given */
export function withCancelAfter<T extends { cancelAfter?: string }>(dto: T, header: string | undefined): T {
  if (header === undefined) return dto;
  if (dto.cancelAfter === undefined) return Object.assign(dto, { cancelAfter: header });
  const message = 'Send either the Cancel-After header or cancelAfter in the body.';
  throw invalidRequest([{ field: 'cancelAfter', code: 'conflict', message }]);
}

import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { FieldError } from '../../kernel/app-error.js';
import type { OutputDto } from '../../jobs/creation/output/output.dto.js';
import { opaqueColorOfNumbers } from '../colors.js';

/** Parameters of rembg's own models and matting. They are accepted and ignored. */
const HINTS: ReadonlySet<string> = new Set(['model', 'a', 'af', 'ab', 'ae', 'ppm', 'dc', 'vm', 'url']);
const FALSE = /^(false|0|off|no|f|n)$/i;
const TRUE = /^(true|1|on|yes|t|y)$/i;

/**
 * Converts the parameters of rembg's server to output options. The result is always a PNG.
 * @throws AppError `invalid_request`
 */
export function rembgOutput(parameters: Iterable<readonly [string, string]>): OutputDto {
  const errors: FieldError[] = [];
  let background: string | null = null;
  let isMask = false;
  for (const [field, value] of parameters) {
    if (HINTS.has(field) || value === '') continue;
    if (field === 'bgc') {
      const color = opaqueColorOfNumbers(value);
      if (color === undefined)
        errors.push(
          fault(field, 'bgc must be r,g,b or r,g,b,a with numbers from 0 to 255. `a` must be 0 or 255.'),
        );
      else background = color;
    } else if (field === 'om' && FALSE.test(value)) continue;
    else if (field === 'om' && TRUE.test(value)) isMask = true;
    else if (field === 'om') errors.push(fault(field, 'om must be true or false.'));
    else if (field === 'extras')
      errors.push(
        fault(field, 'extras are settings of models that this service does not have. Leave them out.'),
      );
    else errors.push({ ...fault(field, `${field.slice(0, 60)} is not a known parameter.`), code: 'unknown' });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  // Ignores the color for a mask, like rembg.
  return isMask ? { format: 'png', kind: 'mask' } : { format: 'png', background };
}

function fault(field: string, message: string): FieldError {
  return { field: field.slice(0, 60), code: 'unsupported', message };
}

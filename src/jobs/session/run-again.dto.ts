import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { IsChecked } from '../../common/validation/checked.validator.js';
import { OptionalBody } from '../../common/validation/optional-body.decorator.js';
import type { MaskDto } from '../creation/enhancement-step.dto.js';
import { MASK_SCHEMA, maskFault } from '../creation/step-mask.js';

@OptionalBody()
export class RunAgainDto {
  @ApiPropertyOptional({
    ...MASK_SCHEMA,
    description:
      'Corrects the cutout of the first operation that removes the background, in place of an earlier mask.',
  })
  @IsOmittable()
  @IsChecked('mask', maskFault)
  mask?: MaskDto;
}

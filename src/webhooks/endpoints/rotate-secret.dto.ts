import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { OptionalBody } from '../../common/validation/optional-body.decorator.js';

const MAX_OVERLAP_SECONDS = 604_800;
const DEFAULT_OVERLAP_SECONDS = 86_400;
const message = `overlapSeconds must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}`;

@OptionalBody()
export class RotateSecretDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: DEFAULT_OVERLAP_SECONDS,
    description: 'How long the secret that is replaced still signs, beside the new one.',
  })
  @IsOmittable()
  @IsInt({ message })
  @Min(0, { message })
  @Max(MAX_OVERLAP_SECONDS, { message })
  overlapSeconds: number = DEFAULT_OVERLAP_SECONDS;
}

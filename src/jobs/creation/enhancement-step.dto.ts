import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsIn, IsString } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { DEFAULT_LEVEL, type Level, LEVELS, SPECIFIED_OPERATIONS } from '../../kernel/operations.js';

/** One operation of a job, with its options. The body of a job with one operation has the same fields. */
export class EnhancementStepDto {
  @ApiProperty({
    type: 'string',
    description: `One of ${SPECIFIED_OPERATIONS.map((name) => `\`${name}\``).join(', ')}, or another that \`GET /api/ai/operations\` lists.`,
    example: 'upscale',
  })
  @IsDefined({ message: 'operation is required' })
  @IsString()
  operation: string;

  @ApiPropertyOptional({ enum: LEVELS, default: DEFAULT_LEVEL })
  @IsOmittable()
  @IsIn(LEVELS)
  level?: Level;
}

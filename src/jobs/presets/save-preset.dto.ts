import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsDefined, IsObject, ValidateNested } from 'class-validator';
import { IsListOfObjects } from '../../common/validation/checked.validator.js';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { MAX_STEPS } from '../creation/create-job.dto.js';
import { EnhancementStepDto } from '../creation/enhancement-step.dto.js';
import { OutputDto } from '../creation/output/output.dto.js';

const SIZE = { message: `operations must have 1 to ${MAX_STEPS} operations` };

export class SavePresetDto {
  @ApiProperty({
    type: [EnhancementStepDto],
    minItems: 1,
    maxItems: MAX_STEPS,
    description: 'As `operations` of a job.',
  })
  @IsDefined({ message: 'operations is required' })
  @ArrayMinSize(1, SIZE)
  @ArrayMaxSize(MAX_STEPS, SIZE)
  @IsListOfObjects()
  @IsArray({ message: 'operations must be an array' })
  @ValidateNested({ each: true })
  @Type(() => EnhancementStepDto)
  operations: EnhancementStepDto[];

  @ApiPropertyOptional({ type: OutputDto, description: 'As `output` of a job.' })
  @IsOmittable()
  @IsObject()
  @ValidateNested()
  @Type(() => OutputDto)
  output?: OutputDto;
}

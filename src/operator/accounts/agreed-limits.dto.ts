import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { IsNullable, IsOmittable } from '../../common/validation/omittable.decorator.js';
import { LIMIT_CEILINGS } from '../../kernel/plans.js';

/** A limit that may be agreed with an account. */
const limit =
  (most: number): PropertyDecorator =>
  (target, property) => {
    const text = { message: `limits.${String(property)} must be a whole number from 0 to ${most}` };
    ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: most })(target, property);
    for (const rule of [IsOmittable(), IsInt(text), Min(0, text), Max(most, text)]) rule(target, property);
  };

export class AgreedLimitsDto {
  @limit(LIMIT_CEILINGS.rpm)
  rpm?: number;

  @limit(LIMIT_CEILINGS.enhancements)
  enhancements?: number;

  @limit(LIMIT_CEILINGS.storageBytes)
  storageBytes?: number;

  @limit(LIMIT_CEILINGS.keys)
  keys?: number;
}

/** Limits that replace those of the plan. */
export function IsAgreedLimits(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: AgreedLimitsDto,
      nullable: true,
      description:
        'Replaces all agreed limits. Null: those of the plan. Required for enterprise, where limits left out are those of business.',
    }),
    IsNullable(),
    IsObject(),
    ValidateNested(),
    Type(() => AgreedLimitsDto),
  );
}

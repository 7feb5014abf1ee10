import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IsCursor, IsPageSize } from '../../common/lists/list-query.dto.js';
import { MAX_PAGE_SIZE } from '../../common/lists/pagination.js';

/** Without `limit`, the list is complete, because it had no pages at first. */
export class ListKeysQueryDto {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description:
      'Only keys that work, including those being replaced, or only revoked and expired ones. Left out, both are listed.',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  active?: 'true' | 'false';

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    description: 'The size of a page. Left out, all keys are listed.',
  })
  @IsPageSize()
  limit?: number;

  @IsCursor()
  cursor?: string;
}

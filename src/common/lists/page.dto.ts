import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

/** The base class of a list in the OpenAPI documents: `class JobListDto extends PageDto(JobDto) {}`. */
export function PageDto<Item>(item: Type<Item>) {
  abstract class ItemPageDto {
    @ApiProperty({ type: [item] })
    data: Item[];

    @ApiProperty({ type: 'boolean' })
    hasMore: boolean;

    @ApiProperty({ type: 'string', nullable: true })
    nextCursor: string | null;
  }
  return ItemPageDto;
}

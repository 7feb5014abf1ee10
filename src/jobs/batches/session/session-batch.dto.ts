import { ApiProperty } from '@nestjs/swagger';
import { BatchDetailDto, BatchDto } from '../../../common/resources/batch.dto.js';
import { type Level, LEVELS } from '../../../kernel/operations.js';
import { PageDto } from '../../../common/lists/page.dto.js';

export class BatchOperationDto {
  @ApiProperty({ type: 'string' })
  operation: string;

  @ApiProperty({ enum: LEVELS })
  level: Level;
}

const DESCRIPTION = 'Every operation of each job, in order.';

/** A batch in the dashboard: the public fields, and every operation. */
export class SessionBatchDto extends BatchDto {
  @ApiProperty({ type: [BatchOperationDto], description: DESCRIPTION })
  operations: BatchOperationDto[];
}

export class SessionBatchDetailDto extends BatchDetailDto {
  @ApiProperty({ type: [BatchOperationDto], description: DESCRIPTION })
  operations: BatchOperationDto[];
}

export class SessionBatchListDto extends PageDto(SessionBatchDto) {}

import { ApiProperty } from '@nestjs/swagger';
import { JobDto } from '../../common/resources/job.dto.js';
import { PageDto } from '../../common/lists/page.dto.js';

export class JobKeyDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  name: string;
}

/** A job in the dashboard: the public fields and some for its owner only. */
export class SessionJobDto extends JobDto {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'A small WebP of the result, or, without one, of the source. Null once both are deleted.',
  })
  thumbnailUrl: string | null;

  @ApiProperty({
    type: JobKeyDto,
    nullable: true,
    description: 'Which key created it; null for the dashboard itself.',
  })
  key: JobKeyDto | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The file name of the photo; null for photos without one and for deleted photos.',
  })
  sourceName: string | null;
}

export class SessionJobListDto extends PageDto(SessionJobDto) {}

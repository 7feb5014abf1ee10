import { ApiProperty } from '@nestjs/swagger';
import { SourceDto } from '../../common/resources/source.dto.js';
import { PageDto } from '../../common/lists/page.dto.js';

/** A photo in the dashboard: the public fields and its file name. */
export class SessionSourceDto extends SourceDto {
  @ApiProperty({
    type: 'string',
    nullable: true,
    maxLength: 255,
    description: 'The file name of the upload; null when the client sent none.',
  })
  name: string | null;
}

export class SessionSourceListDto extends PageDto(SessionSourceDto) {}

import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString } from 'class-validator';

export class UploadFromUrlDto {
  @ApiProperty({
    type: 'string',
    format: 'uri',
    maxLength: 2048,
    description:
      'URL of an image on a public `https` server. It is fetched once, with at most three redirects, within the time limit of the service.',
    example: 'https://images.example/photo.jpg',
  })
  @IsDefined({ message: 'url is required' })
  @IsString()
  url: string;
}

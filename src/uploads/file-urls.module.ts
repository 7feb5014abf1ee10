import { Module } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG, SIGNING_KEY } from '../config/tokens.js';
import { FileUrls } from './file-urls.js';

@Module({
  providers: [
    {
      provide: FileUrls,
      inject: [CONFIG, SIGNING_KEY],
      useFactory: (config: Config, signingKey: string) =>
        new FileUrls({ publicUrl: config.publicUrl, signingKey, ttlSeconds: config.fileUrlTtlSeconds }),
    },
  ],
  exports: [FileUrls],
})
export class FileUrlsModule {}

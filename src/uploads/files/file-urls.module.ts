import { Module } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import type { KeySource } from '../../config/secrets/key-sources.js';
import { CONFIG, SIGNING_KEYS } from '../../config/tokens.js';
import { FileUrls } from './file-urls.js';

@Module({
  providers: [
    {
      provide: FileUrls,
      inject: [CONFIG, SIGNING_KEYS],
      useFactory: (config: Config, signingKeys: KeySource) =>
        new FileUrls({ publicUrl: config.publicUrl, signingKeys, ttlSeconds: config.fileUrlTtlSeconds }),
    },
  ],
  exports: [FileUrls],
})
export class FileUrlsModule {}

import type { LoggerService } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { s3UrlOf } from '../../config/variables/s3-location.js';
import { s3SettingsAt } from '../../infra/storage/s3/s3-settings.js';
import { ModelMirror, type Warn } from './model-mirror.js';

/** Listing a bucket costs money, so a bucket is polled less often than a folder. */
const MIN_POLL_MS = 30_000;

/** Creates the mirror of a configuration and updates it; undefined without `MODELS_URL`. @throws like `begin` */
export async function mirroredModels(config: Config, warn: Warn): Promise<ModelMirror | undefined> {
  const { modelsUrl } = config;
  if (modelsUrl === undefined) return undefined;
  // The AWS SDK is loaded only here.
  const { S3Folder } = await import('../../infra/storage/s3/s3-folder.js');
  const folder = new S3Folder(s3SettingsAt(modelsUrl, config));
  const remote = {
    url: s3UrlOf(modelsUrl),
    files: () => folder.files(),
    download: folder.download.bind(folder),
    close: () => folder.close(),
  };
  const mirror = new ModelMirror(remote, config.modelsDir, warn);
  try {
    await mirror.begin();
    return mirror;
  } catch (error) {
    mirror.close();
    throw error;
  }
}

/** Keeps a mirror current until the returned function is called. */
export function watchRemoteModels(mirror: ModelMirror, { modelsPollMs }: Config): () => void {
  const timer =
    modelsPollMs === 0
      ? undefined
      : setInterval(() => void mirror.update(), Math.max(modelsPollMs, MIN_POLL_MS)).unref();
  return () => {
    clearInterval(timer);
    mirror.close();
  };
}

/** Writes warnings to a role's log. */
export function modelsWarning(logger: LoggerService): Warn {
  return (fields, message) => logger.warn(fields, message, 'models');
}

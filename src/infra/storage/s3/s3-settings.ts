import type { Config } from '../../../config/env.js';
import type { S3Location } from '../../../config/variables/s3-location.js';

export type S3Config = Pick<
  Config,
  | 'objectStore'
  | 'awsRegion'
  | 's3Endpoint'
  | 's3PublicEndpoint'
  | 's3ForcePathStyle'
  | 's3Encryption'
  | 's3EncryptionKeyId'
  | 'objectUrls'
>;

/** Address and options of an S3 bucket. */
export interface S3Settings {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Default: Amazon's endpoint of the region. */
  readonly endpoint: string | undefined;
  /** The endpoint in URLs for clients. Default: `endpoint`. */
  readonly publicEndpoint: string | undefined;
  /** Default: the region that the AWS SDK finds. */
  readonly region: string | undefined;
  readonly forcePathStyle: boolean;
  readonly encryption: 'AES256' | 'aws:kms' | undefined;
  /** The key for `aws:kms`. Default: the key of the bucket. */
  readonly encryptionKeyId: string | undefined;
  /** Whether readers get URLs of the store instead of bytes from the API. */
  readonly directUrls: boolean;
}

/** The settings of a configuration; undefined if objects are on disk. */
export function s3Settings(config: S3Config): S3Settings | undefined {
  return config.objectStore === undefined ? undefined : s3SettingsAt(config.objectStore, config);
}

/** The settings for another location on the same server. */
export function s3SettingsAt(location: S3Location, config: Omit<S3Config, 'objectStore'>): S3Settings {
  return {
    ...location,
    endpoint: config.s3Endpoint,
    publicEndpoint: config.s3PublicEndpoint,
    region: config.awsRegion,
    forcePathStyle: config.s3ForcePathStyle,
    encryption: config.s3Encryption === 'bucket' ? undefined : config.s3Encryption,
    encryptionKeyId: config.s3EncryptionKeyId,
    directUrls: config.objectUrls === 'direct',
  };
}

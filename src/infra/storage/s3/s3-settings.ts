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

/** How an S3 bucket is reached and what is asked of it. */
export interface S3Settings {
  readonly bucket: string;
  /** Empty, or ends in a slash. */
  readonly prefix: string;
  /** Undefined: Amazon's, by region. */
  readonly endpoint: string | undefined;
  /** The endpoint in addresses for clients. Undefined: `endpoint`. */
  readonly publicEndpoint: string | undefined;
  /** Undefined: what the AWS SDK finds. */
  readonly region: string | undefined;
  readonly forcePathStyle: boolean;
  readonly encryption: 'AES256' | 'aws:kms' | undefined;
  /** Of `aws:kms`; undefined: the key of the bucket. */
  readonly encryptionKeyId: string | undefined;
  /** Whether readers get addresses of the store instead of bytes from the api. */
  readonly directUrls: boolean;
}

/** The settings of a configuration; undefined when objects are kept on disk. */
export function s3Settings(config: S3Config): S3Settings | undefined {
  return config.objectStore === undefined ? undefined : s3SettingsAt(config.objectStore, config);
}

/** The settings for another place on the same server. */
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

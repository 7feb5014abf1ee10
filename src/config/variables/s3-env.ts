import { s3Location } from './s3-location.js';
import { type Descriptor, flag, oneOf, text, url } from './descriptor.js';

/** Objects in S3. docs/operations.md lists the permissions that the bucket must grant. */
export const S3_DESCRIPTORS = {
  objectStore: s3Location('OBJECT_STORE_URL', {
    defaultText: 'none: objects are stored in `DATA_DIR`',
    text: 'S3 bucket for images instead of `DATA_DIR/objects`. Credentials come from where the AWS SDK looks for them: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, `AWS_PROFILE`, or the role of the container or machine. See docs/operations.md.',
  }),
  awsRegion: text('AWS_REGION', {
    default: undefined,
    defaultText: "`us-east-1` with `S3_ENDPOINT`, otherwise the AWS SDK's",
    text: 'Region of the bucket.',
  }),
  s3Endpoint: url('S3_ENDPOINT', {
    protocols: ['http:', 'https:'],
    defaultText: 'Amazon S3 in `AWS_REGION`',
    text: 'Address of another S3 server, for example `http://minio:9000`.',
  }),
  s3PublicEndpoint: url('S3_PUBLIC_ENDPOINT', {
    protocols: ['http:', 'https:'],
    defaultText: '`S3_ENDPOINT`',
    text: 'Address at which clients reach the S3 server, for `OBJECT_URLS=direct`.',
  }),
  s3ForcePathStyle: flag('S3_FORCE_PATH_STYLE', {
    default: false,
    text: 'Put the bucket in the path of a request instead of its host name. Most servers other than Amazon need it.',
  }),
  s3Encryption: oneOf('S3_SERVER_SIDE_ENCRYPTION', {
    values: ['bucket', 'AES256', 'aws:kms'],
    default: 'bucket',
    text: 'Server-side encryption to request for each object. `bucket`: what the bucket does by default.',
  }),
  s3EncryptionKeyId: text('S3_KMS_KEY_ID', {
    default: undefined,
    defaultText: 'the key of the bucket',
    text: 'KMS key for `S3_SERVER_SIDE_ENCRYPTION=aws:kms`.',
  }),
  objectUrls: oneOf('OBJECT_URLS', {
    values: ['api', 'direct'],
    default: 'api',
    text: 'How clients get the bytes of a file. `api`: from the api. `direct`: the api redirects (302) to a presigned URL of the S3 server, which expires when the URL of the file does, and clients may send uploads to the S3 server themselves (docs/uploads.md). Without `OBJECT_STORE_URL` always `api`.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;

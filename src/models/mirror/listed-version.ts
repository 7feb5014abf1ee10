import { createHash } from 'node:crypto';
import { OPERATION_NAME } from '../manifest/manifest-shape.js';
import { VERSION_NAME } from '../repository/read-version.js';

/** A file in a remote repository. */
export interface RemoteFile {
  /** `<operation>/<version>/<file>`; others are ignored. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Another one when the file was written again. */
  readonly etag: string;
  readonly writtenAt: Date | undefined;
}

/** A version as it is listed. */
export interface ListedVersion {
  /** `<operation>/<version>` */
  readonly name: string;
  readonly files: readonly RemoteFile[];
  /** Another one when any file differs. */
  readonly signature: string;
}

const MANIFEST = 'manifest.json';
const FILE_NAME = /^[^./][^/]*$/;

/** The versions of a list of files. One without a manifest is still on its way. */
export function listedVersions(files: readonly RemoteFile[]): readonly ListedVersion[] {
  const byVersion = new Map<string, RemoteFile[]>();
  for (const file of files) {
    const [operation = '', version = '', ...rest] = file.name.split('/');
    const isOfVersion = OPERATION_NAME.test(operation) && VERSION_NAME.test(version);
    if (!isOfVersion || !FILE_NAME.test(rest.join('/'))) continue;
    const name = `${operation}/${version}`;
    byVersion.set(name, [...(byVersion.get(name) ?? []), file]);
  }
  return [...byVersion]
    .filter(([name, own]) => own.some((file) => file.name === `${name}/${MANIFEST}`))
    .map(([name, own]) => ({ name, files: own, signature: signatureOf(own) }));
}

function signatureOf(files: readonly RemoteFile[]): string {
  const lines = files.map(({ name, sizeBytes, etag }) => `${name} ${sizeBytes} ${etag}`).toSorted();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

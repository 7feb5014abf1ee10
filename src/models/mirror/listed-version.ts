import { createHash } from 'node:crypto';
import { OPERATION_NAME } from '../manifest/manifest-shape.js';
import { VERSION_NAME } from '../repository/read-version.js';

/** A file in a remote repository. */
export interface RemoteFile {
  /** `<operation>/<version>/<file>`; others are ignored. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Changes when the file is rewritten. */
  readonly etag: string;
  readonly writtenAt: Date | undefined;
}

/** A version in a listing. */
export interface ListedVersion {
  /** `<operation>/<version>` */
  readonly name: string;
  readonly files: readonly RemoteFile[];
  /** Changes when any file changes. */
  readonly signature: string;
}

const MANIFEST = 'manifest.json';
const FILE_NAME = /^[^./][^/]*$/;

/**
 * The versions in a list of files that are not served because no operation can have the name of their folder. Those in
 * hidden folders are not meant to be served, as in a local repository.
 */
export function misnamedVersions(files: readonly RemoteFile[]): readonly string[] {
  return files.flatMap(({ name }) => {
    const [operation = '', version = '', ...rest] = name.split('/');
    const isMisnamed =
      /^[^.]/.test(operation) && !OPERATION_NAME.test(operation) && VERSION_NAME.test(version);
    return isMisnamed && rest.join('/') === MANIFEST ? [`${operation}/${version}`] : [];
  });
}

/** The versions in a list of files. A version without a manifest is still being uploaded and is omitted. */
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

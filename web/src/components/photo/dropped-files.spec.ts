import { describe, expect, it } from 'vitest';
import { byPath, droppedFiles } from './dropped-files.js';

/** Entries as a browser passes them. Only browsers can create real ones. */
type Entry = Pick<FileSystemEntry, 'name' | 'isFile' | 'isDirectory'>;

const fileEntry = (name: string, isReadable = true): Entry => {
  const file: FileSystemFileEntry['file'] = (resolve, reject) =>
    isReadable ? resolve(new File(['a'], name)) : reject?.(new DOMException('gone', 'NotFoundError'));
  return Object.assign({ name, isFile: true, isDirectory: false }, { file });
};

const folderEntry = (name: string, children: readonly Entry[] | null): Entry => {
  let left = children;
  const readEntries: FileSystemDirectoryReader['readEntries'] = (resolve, reject) => {
    if (left === null) return reject?.(new DOMException('denied', 'NotReadableError'));
    resolve([...left] as FileSystemEntry[]);
    left = [];
  };
  const createReader = () => ({ readEntries });
  return Object.assign({ name, isFile: false, isDirectory: true }, { createReader });
};

const dropOf = (entry: Entry) => {
  const item = { kind: 'file', webkitGetAsEntry: () => entry, getAsFile: () => null };
  return { items: [item] } as unknown as DataTransfer;
};

describe('droppedFiles', () => {
  it('returns the readable files of a folder, and the names of those that cannot be read', async () => {
    const folder = folderEntry('Summer', [
      fileEntry('a.jpg'),
      fileEntry('gone.jpg', false),
      folderEntry('.thumbnails', [fileEntry('c.jpg')]),
      folderEntry('locked', null),
      folderEntry('more', [fileEntry('b.jpg')]),
    ]);
    const { files, ...rest } = await droppedFiles(dropOf(folder));
    expect(files.map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg']);
    expect(rest).toEqual({ folder: 'Summer', unread: ['gone.jpg', 'locked'] });
  });
});

describe('byPath', () => {
  it('sorts as file managers do', () => {
    const names = ['IMG_10.jpg', 'IMG_9.jpg', 'IMG_1.jpg'];
    const files = names.map((name) =>
      Object.assign(new File([], name), { webkitRelativePath: `Summer/${name}` }),
    );
    const hidden = Object.assign(new File([], 'a.jpg'), { webkitRelativePath: 'Summer/.git/a.jpg' });
    expect(byPath([hidden, ...files]).map(({ name }) => name)).toEqual([
      'IMG_1.jpg',
      'IMG_9.jpg',
      'IMG_10.jpg',
    ]);
  });
});

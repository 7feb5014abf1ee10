import { useEffect } from 'react';
import { droppedFiles } from './dropped-files.js';

/** Called with files, the name of their folder, and the names of files and folders that could not be read. */
export type OnFiles = (files: readonly File[], folder: string | null, unread?: readonly string[]) => void;

/**
 * Handles photos and folders that are pasted, or dropped anywhere on the page. Otherwise, the browser would leave the
 * page to open a dropped file.
 */
export function usePhotoIntake(onFiles: OnFiles): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => give(event.clipboardData);
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      give(event.dataTransfer);
    };
    const read = async (data: DataTransfer | null) => {
      const { files, folder, unread } = await droppedFiles(data);
      if (files.length + unread.length > 0) onFiles(files, folder, unread);
    };
    const give = (data: DataTransfer | null) => void read(data);
    document.addEventListener('paste', onPaste);
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('paste', onPaste);
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('drop', onDrop);
    };
  }, [onFiles]);
}

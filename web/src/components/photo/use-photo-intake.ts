import { useEffect } from 'react';
import { droppedFiles } from './dropped-files.js';

/** Called with files, and the name of their folder. */
export type OnFiles = (files: readonly File[], folder: string | null) => void;

/**
 * Handles photos and folders that are pasted, or dropped anywhere on the page. Otherwise, the browser would leave the
 * page to open a dropped file. The drop zone handles its own drops.
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
      if (event.target instanceof Element && event.target.closest('[data-photo-drop]') !== null) return;
      give(event.dataTransfer);
    };
    const read = async (data: DataTransfer | null) => {
      const { files, folder } = await droppedFiles(data);
      if (files.length > 0) onFiles(files, folder);
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

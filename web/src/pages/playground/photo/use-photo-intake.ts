import { useEffect } from 'react';

/**
 * Photos that are pasted, or dropped anywhere on the page. Without it a browser would leave the page and open a dropped
 * file. The drop zone handles what is dropped on it.
 */
export function usePhotoIntake(onFiles: (files: readonly File[]) => void): void {
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
    const give = (data: DataTransfer | null) => {
      const files = [...(data?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
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

/** The progress of sending a file. */
export interface UploadProgress {
  /** Bytes sent in this attempt. A retry starts at 0 again. */
  readonly sentBytes: number;
  readonly totalBytes: number;
}

type ProgressCallback = (progress: UploadProgress) => void;

/**
 * A file that reports how much of it was read for sending, because `fetch` reports no progress. Node.js reads a Blob
 * with its `stream()`. Browsers do not, so they report only the end.
 */
export function fileWithProgress(file: Blob, onProgress: ProgressCallback | undefined): File {
  const name = file instanceof File ? file.name : 'image';
  if (onProgress === undefined) return file instanceof File ? file : new File([file], name);
  return new FileWithProgress(file, name, onProgress);
}

class FileWithProgress extends File {
  constructor(
    file: Blob,
    name: string,
    private readonly onProgress: ProgressCallback,
  ) {
    super([file], name, { type: file.type });
  }

  override stream(): ReturnType<File['stream']> {
    let sentBytes = 0;
    const report = () => this.onProgress({ sentBytes, totalBytes: this.size });
    report();
    const reporting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>(
      {
        transform: (chunk, controller) => {
          controller.enqueue(chunk);
          sentBytes += chunk.length;
          report();
        },
      },
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    );
    return super.stream().pipeThrough(reporting);
  }
}

/**
 * A `fetch` for uploads that reports progress, which `fetch` itself cannot.
 * @param onProgress called with the fraction that was sent, 0 to 1
 */
export function uploadingFetch(onProgress: (share: number) => void): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const { signal, method = 'POST', headers, body } = init ?? {};
      signal?.throwIfAborted();
      const upload = new XMLHttpRequest();
      const abort = () => upload.abort();
      signal?.addEventListener('abort', abort);
      upload.upload.addEventListener('progress', ({ loaded, total }) =>
        onProgress(total > 0 ? loaded / total : 0),
      );
      upload.addEventListener('load', () => resolve(responseOf(upload)));
      upload.addEventListener('error', () => reject(new TypeError('Failed to fetch')));
      upload.addEventListener('abort', () => reject(new DOMException('canceled', 'AbortError')));
      upload.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
      upload.open(method, input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(headers)) upload.setRequestHeader(name, value);
      upload.send(body as FormData);
    });
}

function responseOf(upload: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of upload.getAllResponseHeaders().trim().split('\r\n')) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return new Response(upload.responseText, { status: upload.status, headers });
}

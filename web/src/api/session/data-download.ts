import { useMutation } from '@tanstack/react-query';
import { request } from '../client.js';
import type { ExportLink, PasswordConfirmation } from '../schema.js';

/** Lets the browser download the data of the account, so that no page holds it in memory. */
export function useDataDownload() {
  return useMutation({
    mutationFn: (body: PasswordConfirmation) =>
      request<ExportLink>({ method: 'POST', path: '/account/export', body }),
    onSuccess: ({ path }) => {
      const link = document.createElement('a');
      link.href = path;
      // An error then does not replace this page.
      link.download = '';
      link.click();
    },
  });
}

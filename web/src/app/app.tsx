import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-router';
import { SESSION_KEY, SESSION_QUERY } from '../api/session/session.js';
import { createQueryClient } from './query-client.js';
import { createRouter } from './router.js';
import { cssVariables, theme } from './theme.js';

/** The whole dashboard with everything that its parts share. */
export function App() {
  const [router] = useState(createRouter);
  const [queryClient] = useState(() => {
    const client = createQueryClient(() => void client.invalidateQueries({ queryKey: SESSION_KEY }));
    // Meanwhile, the browser fetches the page.
    void client.prefetchQuery(SESSION_QUERY);
    return client;
  });
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from './api/queries.ts';
import { Notices } from './common/notices.tsx';
import { router } from './router.tsx';
import { styleNonce, theme, variables } from './theme/theme.ts';
import './theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadStylesOfDocument } from './chunks/styles.ts';

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
void loadStylesOfDocument().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

import './theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadStylesOfDocument } from './chunks/styles.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
void loadStylesOfDocument().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

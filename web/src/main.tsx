import './app/styles.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from './api/connection.js';
import { App } from './app/app.js';
import { reloadWhenOutdated } from './app/outdated.js';

watchConnection();
reloadWhenOutdated();
const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

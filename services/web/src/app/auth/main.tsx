import '../theme/auth.css';
import type { LINK_PAGES } from '@call-analytics/contracts';
import { type FunctionComponent, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type AuthPath, authPath } from '../../documents.ts';
import { loadStylesOfDocument } from '../chunks/styles.ts';
import { ForgotPage, InvitationPage, LinkPage, ResetPage, SignInPage, SignUpPage } from './pages.tsx';

/** The paths of one-time links in the contract. */
type LinkPath = (typeof LINK_PAGES)[keyof typeof LINK_PAGES];

const PAGES: Record<AuthPath | LinkPath, FunctionComponent> = {
  '/sign-in': SignInPage,
  '/sign-up': SignUpPage,
  '/forgot': ForgotPage,
  '/password-reset': ResetPage,
  '/invitation': InvitationPage,
  '/link': LinkPage,
};

const Page = PAGES[authPath(location.pathname) ?? '/sign-in'];
const root = document.getElementById('root');
if (root === null) throw new Error('auth.html has no #root');
void loadStylesOfDocument().then(() =>
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
);

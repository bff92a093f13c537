import '../theme/outside.css';
import type { LINK_PAGES } from '@call-analytics/contracts';
import { type FunctionComponent, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type OutsidePath, outsidePath } from '../../outside-paths.ts';
import { loadStylesOfDocument } from '../chunks/styles.ts';
import { ForgotPage } from './forgot-page.tsx';
import { InvitationPage } from './invitation-page.tsx';
import { LinkPage } from './link-page.tsx';
import { ResetPage } from './reset-page.tsx';
import { SignInPage } from './sign-in-page.tsx';
import { SignUpPage } from './sign-up-page.tsx';

/** The contract's links lead here. */
type LinkPath = (typeof LINK_PAGES)[keyof typeof LINK_PAGES];

const PAGES: Record<OutsidePath | LinkPath, FunctionComponent> = {
  '/sign-in': SignInPage,
  '/sign-up': SignUpPage,
  '/forgot': ForgotPage,
  '/password-reset': ResetPage,
  '/invitation': InvitationPage,
  '/link': LinkPage,
};

const Page = PAGES[outsidePath(location.pathname) ?? '/sign-in'];
const root = document.getElementById('root');
if (root === null) throw new Error('outside.html has no #root');
void loadStylesOfDocument().then(() =>
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
);

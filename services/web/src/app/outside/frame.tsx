import type { ReactNode } from 'react';
import { ConnectionBanner } from '../shell/banner.tsx';
import { common } from '../texts/outside.ts';
import classes from './frame.module.css';

/** Around each page outside the application. */
export function Frame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <>
      <ConnectionBanner />
      <main className={classes.outside}>
        <title>{`${title} · ${common.product}`}</title>
        <div className={classes.logo}>
          <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" fill="var(--app-accent)" />
            <path
              d="M8 19v-6m5.3 10V9m5.4 11v-8M24 17.5v-3"
              stroke="#fff"
              strokeWidth="2.6"
              strokeLinecap="round"
              fill="none"
            />
          </svg>
          {common.product}
        </div>
        <div className={classes.card}>
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
          <div className={classes.content}>{children}</div>
        </div>
      </main>
    </>
  );
}

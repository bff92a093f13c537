import type { CallDetail } from '@call-analytics/contracts';
import type { ReactNode } from 'react';
import { CallState } from '../calls/call-state.tsx';
import { SaleStatus } from '../calls/sale-status.tsx';
import { shownMoment } from '../common/dates.ts';
import { texts } from '../texts/texts.ts';
import classes from './report.module.css';
import { NO_LANGUAGE, shownLanguage } from './words.ts';

const words = texts.report;

/** What is known of a call in a few words each. */
export function Facts({ call: { status, score, saleStatus, product, language, createdAt } }: { call: CallDetail }) {
  return (
    <dl className={classes.facts}>
      <Fact name={words.status}>
        <CallState status={status} />
      </Fact>
      {score !== null && (
        <Fact name={words.outcome}>
          <SaleStatus status={saleStatus} />
        </Fact>
      )}
      {product !== '' && (
        <Fact name={words.product}>
          <bdi>{product}</bdi>
        </Fact>
      )}
      {language !== NO_LANGUAGE && <Fact name={words.language}>{shownLanguage(language)}</Fact>}
      <Fact name={words.uploaded}>
        <time dateTime={createdAt}>{shownMoment(createdAt)}</time>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { usePolling } from '../api/live.ts';
import { ProblemError } from '../api/problem.ts';
import { isUnfinished } from '../calls/list-query.ts';
import { Failed } from '../common/failed.tsx';
import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';
import { Actions } from './actions.tsx';
import { BackToCalls } from './back.tsx';
import { callQuery } from './call-query.ts';
import { FailedCall } from './failed-call.tsx';
import { Missing } from './missing.tsx';
import { InProgress } from './progress.tsx';
import classes from './report.module.css';
import { Report } from './report.tsx';
import { Waiting } from './waiting.tsx';

const words = texts.report;

/** A call: its report, what is being done about it now, or why it failed. The frame stays the same throughout, and with it the focus on the heading. */
export function ReportPage() {
  const { id = '' } = useParams({ strict: false });
  const interval = usePolling(true);
  const { data, error, refetch } = useQuery({
    ...callQuery(id),
    refetchInterval: ({ state }) =>
      isGone(state.error) || (state.data !== undefined && !isUnfinished(state.data.status)) ? false : interval,
  });
  // It may have been deleted while its page was open.
  const isMissing = isGone(error);
  const call = isMissing ? undefined : data;
  const frame = (title: string, content: ReactNode, actions?: ReactNode) => (
    <Page title={title} above={<BackToCalls />} actions={actions}>
      <Announcement isDone={call?.status === 'completed'} isKnown={call !== undefined} />
      {content}
    </Page>
  );
  if (isMissing) return frame(words.missing, <Missing />);
  if (call === undefined)
    return frame(words.title, error === null ? <Waiting /> : <Failed error={error} retry={() => void refetch()} />);
  const content = isUnfinished(call.status) ? (
    <InProgress call={call} />
  ) : call.status === 'failed' ? (
    <FailedCall call={call} />
  ) : (
    <Report call={call} />
  );
  return frame(call.fileName, <div className={classes.body}>{content}</div>, <Actions call={call} />);
}

function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404;
}

/** Tells those who do not see it that the report has come while they waited. */
function Announcement({ isDone, isKnown }: { isDone: boolean; isKnown: boolean }) {
  const hasWaited = useRef(false);
  useEffect(() => {
    if (isKnown && !isDone) hasWaited.current = true;
  }, [isKnown, isDone]);
  return (
    <div role="status" className={classes.unseen}>
      {isDone && hasWaited.current ? words.done : ''}
    </div>
  );
}

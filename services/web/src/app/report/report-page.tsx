import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
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

/** A call: its report, what is being done about it now, or why it failed. */
export function ReportPage() {
  const { id = '' } = useParams({ strict: false });
  const [isOpen, setOpen] = useState(true);
  const { data: call, error, refetch } = useQuery({ ...callQuery(id), refetchInterval: usePolling(isOpen) });
  const isMissing = error instanceof ProblemError && error.status === 404;
  // A call that is gone is not asked for again and again; it may have been deleted while its page was open.
  useEffect(() => setOpen(call === undefined ? !isMissing : isUnfinished(call.status) && !isMissing), [call, isMissing]);
  if (isMissing) return <Missing />;
  if (call === undefined)
    return error === null ? (
      <Waiting />
    ) : (
      <Page title={words.title} above={<BackToCalls />}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    );
  return (
    <Page title={call.fileName} above={<BackToCalls />} actions={<Actions call={call} />}>
      <Announcement isDone={call.status === 'completed'} />
      <div className={classes.body}>
        {isUnfinished(call.status) ? (
          <InProgress call={call} />
        ) : call.status === 'failed' ? (
          <FailedCall call={call} />
        ) : (
          <Report call={call} />
        )}
      </div>
    </Page>
  );
}

/** Tells those who do not see it that the report has come while they waited. */
function Announcement({ isDone }: { isDone: boolean }) {
  const hasWaited = useRef(false);
  useEffect(() => {
    if (!isDone) hasWaited.current = true;
  }, [isDone]);
  return (
    <div role="status" className={classes.unseen}>
      {isDone && hasWaited.current ? words.done : ''}
    </div>
  );
}

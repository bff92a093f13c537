import { Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { usePolling } from '../api/live.ts';
import { Failed } from '../common/failed.tsx';
import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';
import { addressOf, isFiltered, type ListView, readAddress, searchOf } from './address.ts';
import classes from './calls.module.css';
import { CallsList } from './calls-list.tsx';
import { Filters } from './filters.tsx';
import { IgnoredNotice } from './ignored-notice.tsx';
import { listQuery } from './list-query.ts';
import { NoCalls, NothingMatches } from './nothing-here.tsx';
import { ChooseFiles } from './upload/choose-files.tsx';
import { ReportTypeChoice } from './upload/report-type-choice.tsx';

/** The list of calls. What it shows stands in the address. */
export function CallsPage() {
  const { view, ignored } = readAddress(useSearch({ from: '/frame/inside/calls' }));
  const navigate = useNavigate({ from: '/calls' });
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const found = useQuery({ ...listQuery(searchOf(view)), refetchInterval: usePolling(true) });
  // Every change can be gone back from, except letters as they are typed.
  const show = (next: ListView) =>
    void navigate({
      search: addressOf(next),
      replace: next.text !== view.text && view.text !== undefined,
      resetScroll: next.page !== view.page,
    });
  const filtered = isFiltered(view);
  const isFirst = found.data !== undefined && found.data.total === 0 && !filtered && !found.isPlaceholderData;
  return (
    <Page title={texts.calls.title} actions={isFirst ? undefined : <UploadHere />}>
      <IgnoredNotice ignored={ignored} />
      {isFirst ? (
        <NoCalls />
      ) : (
        <Stack gap="md">
          <Filters view={view} onChange={show} withSort={isPhone} />
          {found.data !== undefined ? (
            found.data.total === 0 && filtered ? (
              <NothingMatches reset={() => show({ sort: view.sort, order: view.order, page: 1 })} />
            ) : (
              <CallsList
                found={found.data}
                view={view}
                onChange={show}
                asCards={isPhone}
                isOutdated={found.isPlaceholderData}
              />
            )
          ) : found.isError ? (
            <Failed error={found.error} retry={() => void found.refetch()} />
          ) : (
            <Waiting />
          )}
        </Stack>
      )}
    </Page>
  );
}

function UploadHere() {
  return (
    <div className={classes.uploadHere}>
      <ReportTypeChoice />
      <ChooseFiles label={texts.calls.upload.upload} />
    </div>
  );
}

function Waiting() {
  return (
    <Stack gap="sm" aria-label={texts.common.loading} role="status">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
        <Skeleton key={index} height={56} radius="md" />
      ))}
    </Stack>
  );
}

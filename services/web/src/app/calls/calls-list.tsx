import type { CallSort, FoundCall, FoundCalls } from '@call-analytics/contracts';
import { Button, Checkbox, Group, Pagination, Text, UnstyledButton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { shownMoment } from '../common/format.ts';
import { DownIcon, SortIcon, TrashIcon, UpIcon } from '../common/icons.tsx';
import { Empty, Note } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { firstOrder, type ListView, PAGE_SIZE } from './address.ts';
import classes from './calls.module.css';
import { CallState, MatchText, SaleStatus, Score } from './facts.tsx';
import { deleteCalls, useHiddenCalls } from './requests.ts';

const words = texts.calls;

interface ListProps {
  found: FoundCalls;
  view: ListView;
  onChange(view: ListView): void;
  asCards: boolean;
  /** Whether this is the previous page, shown until the requested one is loaded. */
  isOutdated: boolean;
}

/** A page of calls, actions on the selected ones, and links to the other pages. */
export function CallsList({ found, view, onChange, asCards, isOutdated }: ListProps) {
  const hidden = useHiddenCalls();
  const calls = found.calls.filter(({ id }) => !hidden.has(id));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Calls that left the page are no longer selected: a call that is not visible must not be deleted.
  const selected = calls.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const select = (ids: readonly string[], isOn: boolean) =>
    setChosen(new Set(isOn ? [...selected, ...ids] : selected.filter((id) => !ids.includes(id))));
  const total = found.total - (found.calls.length - calls.length);
  const pages = Math.max(1, Math.ceil(found.total / PAGE_SIZE));
  if (found.calls.length === 0) return <NoSuchPage toFirst={() => onChange({ ...view, page: 1 })} />;
  const rows = { calls, selected: new Set(selected), select, view, onChange };
  return (
    <div className={classes.frame} aria-busy={isOutdated} style={isOutdated ? { opacity: 0.6 } : undefined}>
      {/* Always there: rows that move when one is selected would bring another one under the pointer. */}
      <div className={classes.bar} data-selected={selected.length > 0 || undefined}>
        {selected.length === 0 ? (
          <Note>
            {words.shown(Math.min(found.offset + 1, total), Math.min(found.offset + calls.length, total), total)}
          </Note>
        ) : (
          <Selection
            count={selected.length}
            clear={() => setChosen(new Set())}
            deleteAll={() => {
              setChosen(new Set());
              void deleteCalls(selected);
            }}
          />
        )}
      </div>
      {asCards ? <CallsCards {...rows} /> : <CallsTable {...rows} />}
      {pages > 1 && (
        <nav aria-label={words.pages} className={classes.foot}>
          <Pagination
            size="sm"
            total={pages}
            value={view.page}
            siblings={asCards ? 0 : 1}
            onChange={(page) => onChange({ ...view, page })}
            getItemProps={(page) => ({ 'aria-label': words.page(page) })}
            getControlProps={(control) => ({ 'aria-label': control === 'next' ? words.nextPage : words.previousPage })}
          />
        </nav>
      )}
    </div>
  );
}

function Selection({ count, clear, deleteAll }: { count: number; clear(): void; deleteAll(): void }) {
  return (
    <div className={classes.selection} role="toolbar" aria-label={words.selected(count)}>
      <Text size="sm" fw={600} role="status">
        {words.selected(count)}
      </Text>
      <Button size="xs" color="red" variant="light" leftSection={<TrashIcon size={16} />} onClick={deleteAll}>
        {words.deletion.delete}
      </Button>
      <Button size="xs" variant="subtle" aria-label={words.unselect} onClick={clear}>
        {words.clear}
      </Button>
    </div>
  );
}

/** The list for narrow screens. */
function CallsCards({ calls, selected, select }: Rows) {
  return (
    <ul className={classes.cards} aria-label={texts.calls.tableLabel}>
      {calls.map(
        ({ id, fileName, status, score, saleStatus, product, createdAt, match, waitingFor, queuePosition }) => (
          <li key={id}>
            <Checkbox
              mt={2}
              className={classes.above}
              aria-label={texts.calls.select(fileName)}
              checked={selected.has(id)}
              onChange={({ currentTarget: { checked } }) => select([id], checked)}
            />
            <div className={classes.cardBody}>
              <div className={classes.cardHead}>
                <Link to="/calls/$id" params={{ id }} className={classes.name}>
                  <bdi>{fileName}</bdi>
                </Link>
                {score !== null && <Score score={score} />}
              </div>
              <Text size="xs" c="dimmed" mt={2} lineClamp={2}>
                {shownMoment(createdAt)}
                {product !== '' && (
                  <>
                    {' · '}
                    <bdi>{product}</bdi>
                  </>
                )}
              </Text>
              {match !== null && <MatchText match={match} />}
              <Group gap="md" mt={10}>
                <CallState status={status} waitingFor={waitingFor} queuePosition={queuePosition} />
                {score !== null && <SaleStatus status={saleStatus} />}
              </Group>
            </div>
          </li>
        ),
      )}
    </ul>
  );
}

/** The props of both forms of the list: rows on a wide screen, cards on a phone. */
export interface Rows {
  calls: readonly FoundCall[];
  selected: ReadonlySet<string>;
  select(ids: readonly string[], isOn: boolean): void;
  view: ListView;
  onChange(view: ListView): void;
}

/** Shown for a page number beyond the last page. */
function NoSuchPage({ toFirst }: { toFirst(): void }) {
  return (
    <Empty title={words.beyond}>
      <Text c="dimmed">{words.beyondWhy}</Text>
      <Button variant="default" onClick={toFirst}>
        {words.firstPage}
      </Button>
    </Empty>
  );
}

export function CallsTable({ calls, selected, select, view, onChange }: Rows) {
  const ids = calls.map(({ id }) => id);
  const isAll = ids.length > 0 && ids.every((id) => selected.has(id));
  const sorted = (sort: CallSort) =>
    view.sort === sort ? (view.order === 'asc' ? 'ascending' : 'descending') : undefined;
  const head = (sort: CallSort) => (
    <th aria-sort={sorted(sort)}>
      <UnstyledButton
        className={classes.sort}
        data-active={view.sort === sort || undefined}
        onClick={() => onChange({ ...view, ...nextSort(view, sort), page: 1 })}
      >
        {words.columns[sort]}
        {view.sort !== sort ? (
          <SortIcon size={14} />
        ) : view.order === 'asc' ? (
          <UpIcon size={14} />
        ) : (
          <DownIcon size={14} />
        )}
      </UnstyledButton>
    </th>
  );
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={words.tableLabel}>
        <thead>
          <tr>
            <th className={classes.select}>
              <Checkbox
                aria-label={words.selectAll}
                checked={isAll}
                indeterminate={!isAll && selected.size > 0}
                onChange={({ currentTarget: { checked } }) => select(ids, checked)}
              />
            </th>
            {head('fileName')}
            <th>{words.columns.status}</th>
            {head('score')}
            <th>{words.columns.saleStatus}</th>
            <th>{words.columns.product}</th>
            {head('createdAt')}
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <Row key={call.id} call={call} isSelected={selected.has(call.id)} select={select} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ call, isSelected, select }: { call: FoundCall; isSelected: boolean; select: Rows['select'] }) {
  const navigate = useNavigate();
  const { id, fileName, status, score, saleStatus, product, createdAt } = call;
  return (
    // Makes the whole row clickable. Keyboards and screen readers use the link in it.
    <tr
      data-selected={isSelected || undefined}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('a, button, input, label') === null)
          void navigate({ to: '/calls/$id', params: { id } });
      }}
    >
      <td>
        <Checkbox
          aria-label={words.select(fileName)}
          checked={isSelected}
          onChange={({ currentTarget: { checked } }) => select([id], checked)}
        />
      </td>
      <td>
        <Link to="/calls/$id" params={{ id }} className={classes.name} title={fileName}>
          <bdi>{fileName}</bdi>
        </Link>
        {call.match !== null && <MatchText match={call.match} />}
      </td>
      <td>
        <CallState status={status} waitingFor={call.waitingFor} queuePosition={call.queuePosition} />
      </td>
      <td>{score === null ? <Nothing /> : <Score score={score} />}</td>
      <td>{score === null ? <Nothing /> : <SaleStatus status={saleStatus} />}</td>
      <td>
        {product === '' ? (
          <Nothing />
        ) : (
          <bdi className={classes.product} title={product}>
            {product}
          </bdi>
        )}
      </td>
      <td>
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }} component="time" dateTime={createdAt}>
          {shownMoment(createdAt)}
        </Text>
      </td>
    </tr>
  );
}

function Nothing() {
  return (
    <Text span c="dimmed" aria-hidden="true">
      {words.none}
    </Text>
  );
}

function nextSort(view: Rows['view'], sort: CallSort): Pick<Rows['view'], 'sort' | 'order'> {
  if (view.sort !== sort) return { sort, order: firstOrder(sort) };
  return { sort, order: view.order === 'asc' ? 'desc' : 'asc' };
}

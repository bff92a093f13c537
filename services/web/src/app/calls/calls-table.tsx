import type { CallSort, FoundCall } from '@call-analytics/contracts';
import { Checkbox, Text, UnstyledButton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { shownMoment } from '../common/format.ts';
import { DownIcon, SortIcon, UpIcon } from '../common/icons.tsx';
import { texts } from '../texts/index.ts';
import { firstOrder } from './address.ts';
import classes from './calls.module.css';
import type { Rows } from './calls-list.tsx';
import { CallState, MatchText, SaleStatus, Score } from './facts.tsx';

const words = texts.calls;

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

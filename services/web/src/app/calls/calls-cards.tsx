import { Checkbox, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { shownMoment } from '../common/dates.ts';
import { texts } from '../texts/texts.ts';
import { CallState } from './call-state.tsx';
import classes from './calls.module.css';
import { MatchText } from './match-text.tsx';
import type { Rows } from './rows.ts';
import { SaleStatus } from './sale-status.tsx';
import { Score } from './score.tsx';

/** The list for narrow screens. */
export function CallsCards({ calls, selected, select }: Rows) {
  return (
    <ul className={classes.cards} aria-label={texts.calls.tableLabel}>
      {calls.map(({ id, fileName, status, score, saleStatus, product, createdAt, match, waitingFor }) => (
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
              <CallState status={status} waitingFor={waitingFor} />
              {score !== null && <SaleStatus status={saleStatus} />}
            </Group>
          </div>
        </li>
      ))}
    </ul>
  );
}

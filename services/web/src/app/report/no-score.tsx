import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answered, api } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { texts } from '../texts/texts.ts';
import classes from './report.module.css';

const words = texts.report;

/** In the place of a score: why the call has none. */
export function NoScore({ callId }: { callId: string }) {
  const { data } = useQuery({
    queryKey: [...keys.call(callId), 'scorecard'],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/calls/{id}/scorecard', { params: { path: { id: callId } }, signal })),
  });
  return (
    <div className={classes.noScore}>
      <Text fw={600}>{words.noScore}</Text>
      <Text size="xs" c="dimmed">
        {data?.notScored?.message}
      </Text>
    </div>
  );
}

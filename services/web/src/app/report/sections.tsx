import type { ReportSection } from '@call-analytics/contracts';
import { Card, Stack, Text, Title } from '@mantine/core';
import { texts } from '../texts/texts.ts';
import classes from './report.module.css';

/** The sections of the report, as many as its type has. */
export function Sections({ sections }: { sections: readonly ReportSection[] }) {
  if (sections.length === 0) return null;
  return (
    <Card component="section">
      <Title order={2} mb="md">
        {texts.report.sections}
      </Title>
      <Stack gap="xl">
        {sections.map(({ id, title, content, points }) => (
          <section key={id} className={classes.section}>
            <Title order={3} mb={6}>
              {title}
            </Title>
            {content !== '' && (
              <Text size="sm" className={classes.prose}>
                {content}
              </Text>
            )}
            {points.length > 0 && (
              <ul className={classes.points} data-small>
                {points.map((point, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two points may be the same, and they never change places.
                  <li key={index}>{point}</li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </Stack>
    </Card>
  );
}

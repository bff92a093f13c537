import type { FoundCall } from '@call-analytics/contracts';
import type { ListView } from './address.ts';

/** What both forms of the list show: rows on a screen, cards on a phone. */
export interface Rows {
  calls: readonly FoundCall[];
  selected: ReadonlySet<string>;
  select(ids: readonly string[], isOn: boolean): void;
  view: ListView;
  onChange(view: ListView): void;
}

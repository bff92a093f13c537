import type { SaleStatus } from '@call-analytics/contracts';
import { Icon, type IconProps } from '../common/icon.tsx';

// Of calls and their reports.

export const ClockIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 6v4.3l2.7 1.7" />
  </Icon>
);
export const FilterIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 5.5h14M5.5 10h9M8 14.5h4" />
  </Icon>
);
export const SortIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6.5 8 3.5-3.5L13.5 8M6.5 12l3.5 3.5 3.5-3.5" />
  </Icon>
);
export const UpIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6 12 4-4 4 4" />
  </Icon>
);
export const DownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6 8 4 4 4-4" />
  </Icon>
);
export const BackIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m12 5-5 5 5 5" />
  </Icon>
);
export const PrintIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6 8V3.5h8V8M6 14H4.5A1.5 1.5 0 0 1 3 12.5v-3A1.5 1.5 0 0 1 4.5 8h11A1.5 1.5 0 0 1 17 9.5v3a1.5 1.5 0 0 1-1.5 1.5H14M6 12h8v4.5H6z" />
  </Icon>
);
export const ThumbUpIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6.5 9v7.5h-3V9zM6.5 9l3-6c1.2 0 2 .9 1.8 2.1L10.9 8h4.2a1.5 1.5 0 0 1 1.5 1.8l-1 5.2a1.9 1.9 0 0 1-1.8 1.5H6.5" />
  </Icon>
);
export const FlagIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M5 17V3.5h9.5l-2 3.5 2 3.5H5" />
  </Icon>
);
export const SpeechIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 5A1.5 1.5 0 0 1 5 3.5h10A1.5 1.5 0 0 1 16.5 5v6.5A1.5 1.5 0 0 1 15 13H9l-4 3.5V13A1.5 1.5 0 0 1 3.5 11.5z" />
  </Icon>
);
export const SlipIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="10" cy="10" r="7" />
    <path d="m7.5 7.5 5 5M12.5 7.5l-5 5" />
  </Icon>
);
export const BulbIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M7.5 13.5C5.8 12.6 5 11 5 9a5 5 0 0 1 10 0c0 2-.8 3.6-2.5 4.5v1.5h-5zM8 17.5h4" />
  </Icon>
);
export const ArrowIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 10h13M11.5 5l5 5-5 5" />
  </Icon>
);

/** A full, half, empty or dotted circle: told apart by its shape. */
export function SaleIcon({ status, size = 14 }: { status: SaleStatus; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" style={{ flexShrink: 0 }}>
      <circle
        cx="10"
        cy="10"
        r="7"
        fill={status === 'sold' ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="2.2"
        strokeDasharray={status === 'unclear' ? '2.6 2.6' : undefined}
      />
      {status === 'follow_up' && <path d="M10 3a7 7 0 0 0 0 14z" fill="currentColor" />}
      {status === 'not_sold' && <path d="M5.5 14.5l9-9" stroke="currentColor" strokeWidth="2.2" />}
    </svg>
  );
}

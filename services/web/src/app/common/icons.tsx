import type { SaleStatus } from '@call-analytics/contracts';
import type { ReactNode } from 'react';

// Icons of 20 × 20 in the color of the surrounding text. Drawn here, so that only used ones are loaded.

export interface IconProps {
  /** In pixels. */
  size?: number;
}

export function Icon({ size = 20, children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flexShrink: 0 }}
    >
      {children}
    </svg>
  );
}

export const CallsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 10v0M6.5 7v6M10 4v12M13.5 7v6M17 10v0" />
  </Icon>
);
export const OverviewIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 16.5h14M5 13.5V10M10 13.5V4M15 13.5V7" />
  </Icon>
);
export const SettingsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 6h6M14 6h3M3 14h3M11 14h6" />
    <circle cx="11.5" cy="6" r="2.2" />
    <circle cx="8.5" cy="14" r="2.2" />
  </Icon>
);
export const DocsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 5.5C8.5 4.3 6.3 4 3 4v11c3.3 0 5.5.3 7 1.5 1.5-1.2 3.7-1.5 7-1.5V4c-3.3 0-5.5.3-7 1.5Zm0 0v11" />
  </Icon>
);
export const CopyIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
    <path d="M13 7V5.5a2 2 0 0 0-2-2H5.5a2 2 0 0 0-2 2V11a2 2 0 0 0 2 2H7" />
  </Icon>
);
export const CheckIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m4 10.5 4 4 8-9" />
  </Icon>
);
export const CloseIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m5 5 10 10M15 5 5 15" />
  </Icon>
);
export const AlertIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 6.5v4.5M10 13.8v0M10 2.8 2.3 16.2h15.4L10 2.8Z" />
  </Icon>
);
export const ChevronIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6 8 4 4 4-4" />
  </Icon>
);
export const SunIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="10" cy="10" r="3.2" />
    <path d="M10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M15.3 4.7l-1 1M5.7 14.3l-1 1" />
  </Icon>
);
export const MoonIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3Z" />
  </Icon>
);
export const SystemIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="2.5" y="3.5" width="15" height="10" rx="1.5" />
    <path d="M7 16.5h6M10 13.5v3" />
  </Icon>
);
export const UserIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="10" cy="6.8" r="3.3" />
    <path d="M3.5 17c.6-3.3 3.2-5 6.5-5s5.9 1.7 6.5 5" />
  </Icon>
);
export const SignOutIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M8 3.5H5a1.5 1.5 0 0 0-1.5 1.5v10A1.5 1.5 0 0 0 5 16.5h3M12.5 13.5 16.5 10l-4-3.5M16 10H8" />
  </Icon>
);
export const TrashIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 5.5h13M8 5.5v-2h4v2M5 5.5l.8 11h8.4l.8-11M8.3 8.5v5M11.7 8.5v5" />
  </Icon>
);
export const PlusIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 4v12M4 10h12" />
  </Icon>
);
export const MenuIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 6h14M3 10h14M3 14h14" />
  </Icon>
);
export const UploadIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 13V4M6.5 7.5 10 4l3.5 3.5M3.5 13v2A1.5 1.5 0 0 0 5 16.5h10a1.5 1.5 0 0 0 1.5-1.5v-2" />
  </Icon>
);
export const DownloadIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 4v9M6.5 9.5 10 13l3.5-3.5M3.5 13v2A1.5 1.5 0 0 0 5 16.5h10a1.5 1.5 0 0 0 1.5-1.5v-2" />
  </Icon>
);
export const SearchIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="9" cy="9" r="5.5" />
    <path d="m13.2 13.2 3.8 3.8" />
  </Icon>
);

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

/** A full, half, struck-through or dotted circle: the shape tells the status. */
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

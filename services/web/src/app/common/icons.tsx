import type { SaleStatus } from '@call-analytics/contracts';

// Icons of 20 × 20 in the color of the surrounding text. Drawn here, so that only used ones are loaded.

interface IconProps {
  /** In pixels. */
  size?: number;
}

function Icon({ path, size = 20 }: IconProps & { path: string }) {
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
      <path d={path} />
    </svg>
  );
}

const icon = (path: string) => (props: IconProps) => <Icon path={path} {...props} />;

export const CallsIcon = icon('M3 10v0M6.5 7v6M10 4v12M13.5 7v6M17 10v0');
export const OverviewIcon = icon('M3 16.5h14M5 13.5V10M10 13.5V4M15 13.5V7');
export const SettingsIcon = icon(
  'M3 6h6M14 6h3M3 14h3M11 14h6M9.3 6a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0M6.3 14a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 ' +
    '1 0 -4.4 0',
);
export const DocsIcon = icon(
  'M10 5.5C8.5 4.3 6.3 4 3 4v11c3.3 0 5.5.3 7 1.5 1.5-1.2 3.7-1.5 7-1.5V4c-3.3 0-5.5.3-7 1.5Zm0 0v11',
);
export const CopyIcon = icon(
  'M9 7h5.5a2 2 0 0 1 2 2v5.5a2 2 0 0 1 -2 2h-5.5a2 2 0 0 1 -2 -2v-5.5a2 2 0 0 1 2 -2zM13 7V5.5a2 2 0 0 0-2-2H5.5a2 ' +
    '2 0 0 0-2 2V11a2 2 0 0 0 2 2H7',
);
export const CheckIcon = icon('m4 10.5 4 4 8-9');
export const CloseIcon = icon('m5 5 10 10M15 5 5 15');
export const AlertIcon = icon('M10 6.5v4.5M10 13.8v0M10 2.8 2.3 16.2h15.4L10 2.8Z');
export const SunIcon = icon(
  'M6.8 10a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0M10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 ' +
    '1M15.3 4.7l-1 1M5.7 14.3l-1 1',
);
export const MoonIcon = icon('M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3Z');
export const SystemIcon = icon(
  'M4 3.5h12a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1 -1.5 1.5h-12a1.5 1.5 0 0 1 -1.5 -1.5v-7a1.5 1.5 0 0 1 1.5 -1.5zM7 ' +
    '16.5h6M10 13.5v3',
);
export const UserIcon = icon(
  'M6.7 6.8a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0 -6.6 0M3.5 17c.6-3.3 3.2-5 6.5-5s5.9 1.7 6.5 5',
);
export const SignOutIcon = icon(
  'M8 3.5H5a1.5 1.5 0 0 0-1.5 1.5v10A1.5 1.5 0 0 0 5 16.5h3M12.5 13.5 16.5 10l-4-3.5M16 10H8',
);
export const TrashIcon = icon('M3.5 5.5h13M8 5.5v-2h4v2M5 5.5l.8 11h8.4l.8-11M8.3 8.5v5M11.7 8.5v5');
export const PlusIcon = icon('M10 4v12M4 10h12');
export const MenuIcon = icon('M3 6h14M3 10h14M3 14h14');
export const UploadIcon = icon(
  'M10 13V4M6.5 7.5 10 4l3.5 3.5M3.5 13v2A1.5 1.5 0 0 0 5 16.5h10a1.5 1.5 0 0 0 1.5-1.5v-2',
);
export const DownloadIcon = icon(
  'M10 4v9M6.5 9.5 10 13l3.5-3.5M3.5 13v2A1.5 1.5 0 0 0 5 16.5h10a1.5 1.5 0 0 0 1.5-1.5v-2',
);
export const SearchIcon = icon('M3.5 9a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0M13.2 13.2l3.8 3.8');
export const ClockIcon = icon('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M10 6v4.3l2.7 1.7');
export const FilterIcon = icon('M3 5.5h14M5.5 10h9M8 14.5h4');
export const SortIcon = icon('m6.5 8 3.5-3.5L13.5 8M6.5 12l3.5 3.5 3.5-3.5');
export const UpIcon = icon('m6 12 4-4 4 4');
export const DownIcon = icon('m6 8 4 4 4-4');
export const BackIcon = icon('m12 5-5 5 5 5');
export const PrintIcon = icon(
  'M6 8V3.5h8V8M6 14H4.5A1.5 1.5 0 0 1 3 12.5v-3A1.5 1.5 0 0 1 4.5 8h11A1.5 1.5 0 0 1 17 9.5v3a1.5 1.5 0 0 1-1.5 ' +
    '1.5H14M6 12h8v4.5H6z',
);
export const ThumbUpIcon = icon(
  'M6.5 9v7.5h-3V9zM6.5 9l3-6c1.2 0 2 .9 1.8 2.1L10.9 8h4.2a1.5 1.5 0 0 1 1.5 1.8l-1 5.2a1.9 1.9 0 0 1-1.8 1.5H6.5',
);
export const FlagIcon = icon('M5 17V3.5h9.5l-2 3.5 2 3.5H5');
export const SpeechIcon = icon(
  'M3.5 5A1.5 1.5 0 0 1 5 3.5h10A1.5 1.5 0 0 1 16.5 5v6.5A1.5 1.5 0 0 1 15 13H9l-4 3.5V13A1.5 1.5 0 0 1 3.5 11.5z',
);
export const SlipIcon = icon('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M7.5 7.5l5 5M12.5 7.5l-5 5');
export const BulbIcon = icon('M7.5 13.5C5.8 12.6 5 11 5 9a5 5 0 0 1 10 0c0 2-.8 3.6-2.5 4.5v1.5h-5zM8 17.5h4');
export const ArrowIcon = icon('M3.5 10h13M11.5 5l5 5-5 5');

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

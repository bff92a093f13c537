import type { ReactNode } from 'react';

// Drawn here, so that nothing is fetched from elsewhere and only what is used is loaded. 20 × 20, lines in the colour of the text around them.

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

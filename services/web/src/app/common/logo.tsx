/**
 * The mark of the product, 28 × 28 pixels. In a file of its own, because the auth pages load no other icons.
 * @param color a CSS color: the auth pages do not have those of Mantine
 */
export function LogoMark({ color }: { color: string }) {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill={color} />
      <path
        d="M8 19v-6m5.3 10V9m5.4 11v-8M24 17.5v-3"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        fill="none"
      />
    </svg>
  );
}

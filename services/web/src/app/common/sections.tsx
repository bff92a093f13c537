import { Link, type LinkProps, Outlet } from '@tanstack/react-router';
import { Page } from './page.tsx';
import classes from './sections.module.css';

/** A page of several parts, each at an address of its own. */
export function Sections({
  title,
  label,
  of,
}: {
  title: string;
  label: string;
  of: readonly { to: LinkProps['to']; label: string }[];
}) {
  return (
    <Page title={title} narrow>
      <nav aria-label={label} className={classes.sections}>
        {of.map((section) => (
          <Link key={section.to} to={section.to} className={classes.section}>
            {section.label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </Page>
  );
}

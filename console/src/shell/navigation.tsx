import { Link, useLocation } from 'wouter';
import type { Area } from '../routes.js';
import { Icon } from '../ui/icon.js';

type NavigationProps = { readonly areas: readonly Area[]; readonly onFollow?: () => void };

export function Navigation({ areas, onFollow }: NavigationProps) {
  const [location] = useLocation();
  return (
    <nav className="hf-nav" aria-label="Areas">
      {areas.map(({ label, path, icon }) => (
        <Link
          key={path}
          href={path}
          className="hf-nav-link"
          aria-current={isWithin(location, path) ? 'page' : undefined}
          {...(onFollow === undefined ? {} : { onClick: onFollow })}
        >
          <Icon name={icon} size={17} />
          {label}
        </Link>
      ))}
    </nav>
  );
}

function isWithin(location: string, path: string): boolean {
  return location === path || (path !== '/' && location.startsWith(`${path}/`));
}

import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';

export type TabLink = { readonly label: string; readonly path: string };

type TabLinksProps = { readonly label: string; readonly tabs: readonly TabLink[] };

/** The parts of an area. Each part has its own address. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  const [location] = useLocation();
  const nav = useRef<HTMLElement>(null);
  // A phone shows some of the tabs only: the current one must be among them.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [location]);
  return (
    <nav ref={nav} className="hf-tabs" aria-label={label}>
      {tabs.map(({ label: name, path }) => (
        <Link key={path} href={path} className="hf-tab" aria-current={location === path ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

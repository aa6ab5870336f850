import { Suspense, useEffect, useState } from 'react';
import { Burger, Button, Drawer } from '@mantine/core';
import { Route as Path, Switch, useLocation } from 'wouter';
import { areas, type Area } from '../routes.js';
import { may, useSession } from '../session/session-context.js';
import { Logo } from '../ui/logo.js';
import { SkeletonLines } from '../ui/skeletons.js';
import { ColorSchemeButton } from './color-scheme-button.js';
import { LiveMark } from './live-mark.js';
import { MarketplaceMark } from './marketplace-mark.js';
import { Navigation } from './navigation.js';

/** Navigation, header and the page of the address. */
export function Shell() {
  const { me, signOut } = useSession();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const shown = areas.filter(({ scope }) => may(me, scope));
  const closeMenu = (): void => setMenuOpen(false);
  return (
    <div className="hf-shell">
      <a className="hf-skip" href="#content">
        Skip to the content
      </a>
      <div className="hf-sidebar">
        <Logo />
        <Navigation areas={shown} />
      </div>
      <Drawer
        opened={isMenuOpen}
        onClose={closeMenu}
        title={<Logo />}
        size={260}
        closeButtonProps={{ 'aria-label': 'Close menu' }}
      >
        <Navigation areas={shown} onFollow={closeMenu} />
      </Drawer>
      <header className="hf-header">
        <Burger className="hf-burger" size="sm" opened={isMenuOpen} onClick={() => setMenuOpen(true)} aria-label="Open menu" />
        <MarketplaceMark />
        <div className="hf-actions">
          <LiveMark />
          <ColorSchemeButton />
          <Button variant="subtle" color="gray" onClick={() => signOut()}>
            Sign out
          </Button>
        </div>
      </header>
      <main className="hf-content" id="content" tabIndex={-1}>
        <Pages areas={shown} />
      </main>
    </div>
  );
}

function Pages({ areas: shown }: { readonly areas: readonly Area[] }) {
  useScrollToTop();
  return (
    <Suspense fallback={<SkeletonLines count={8} />}>
      <Switch>
        {shown
          .flatMap(({ routes }) => routes)
          .map(({ path, page: Page }) => (
            <Path key={path} path={path}>
              {(params) => <Page params={params} />}
            </Path>
          ))}
        <Path>
          <NoPage />
        </Path>
      </Switch>
    </Suspense>
  );
}

function NoPage() {
  return (
    <>
      <title>No such page · Holdfast</title>
      <header className="hf-page-header">
        <h1>This page does not exist</h1>
      </header>
      <p className="hf-dimmed">The address is wrong, or your key may not see it. Choose an area of the navigation.</p>
    </>
  );
}

/** A new page begins at its top, other than a list whose filters change. */
function useScrollToTop(): void {
  const [location] = useLocation();
  useEffect(() => {
    scrollTo(0, 0); // newer browsers return a promise, which React would take for the end of the effect
  }, [location]);
}

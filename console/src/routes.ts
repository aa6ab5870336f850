import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { PageProps } from './page-props.js';
import type { Scope } from './session/session-context.js';
import type { IconName } from './ui/icon.js';

/** A page that is loaded when it is opened. Its component gets the parameters of the path. */
export type Route = {
  readonly path: string;
  readonly page: LazyExoticComponent<ComponentType<PageProps>>;
};

export type Area = {
  readonly label: string;
  readonly path: string;
  readonly icon: IconName;
  /** A person who lacks it does not see the area. */
  readonly scope: Scope;
  readonly routes: readonly Route[];
};

const overview = () => import('./pages/overview/index.js');
const orders = () => import('./pages/orders/index.js');
const users = () => import('./pages/users/index.js');
const disputes = () => import('./pages/disputes/index.js');
const developers = () => import('./pages/developers/index.js');
const events = () => import('./pages/events/index.js');
const money = () => import('./pages/money/index.js');
const operations = () => import('./pages/operations/index.js');

function loaded(load: () => Promise<ComponentType<PageProps>>): Route['page'] {
  return lazy(async () => ({ default: await load() }));
}

/** The areas of the navigation, in their order, and the pages below each of them. */
export const areas: readonly Area[] = [
  {
    label: 'Overview',
    path: '/',
    icon: 'overview',
    scope: 'read',
    routes: [{ path: '/', page: loaded(async () => (await overview()).OverviewPage) }],
  },
  {
    label: 'Orders',
    path: '/orders',
    icon: 'orders',
    scope: 'read',
    routes: [
      { path: '/orders', page: loaded(async () => (await orders()).OrdersPage) },
      { path: '/orders/:id', page: loaded(async () => (await orders()).OrderPage) },
    ],
  },
  {
    label: 'Users',
    path: '/users',
    icon: 'users',
    scope: 'read',
    routes: [
      { path: '/users', page: loaded(async () => (await users()).UsersPage) },
      { path: '/users/:id/:part?', page: loaded(async () => (await users()).UserPage) },
    ],
  },
  {
    label: 'Disputes',
    path: '/disputes',
    icon: 'disputes',
    scope: 'read',
    routes: [
      { path: '/disputes', page: loaded(async () => (await disputes()).DisputesPage) },
      { path: '/disputes/:id', page: loaded(async () => (await disputes()).DisputePage) },
    ],
  },
  {
    label: 'Money',
    path: '/money',
    icon: 'money',
    scope: 'read',
    routes: [
      { path: '/money', page: loaded(async () => (await money()).TopupsPage) },
      { path: '/money/topups/:id', page: loaded(async () => (await money()).TopupPage) },
      { path: '/money/withdrawals', page: loaded(async () => (await money()).WithdrawalsPage) },
      { path: '/money/withdrawals/:id', page: loaded(async () => (await money()).WithdrawalPage) },
      { path: '/money/cases', page: loaded(async () => (await money()).CasesPage) },
      { path: '/money/reports', page: loaded(async () => (await money()).ReportsPage) },
      { path: '/money/proof', page: loaded(async () => (await money()).ProofPage) },
      { path: '/money/treasury', page: loaded(async () => (await money()).TreasuryPage) },
    ],
  },
  {
    label: 'Events',
    path: '/events',
    icon: 'events',
    scope: 'read',
    routes: [
      { path: '/events', page: loaded(async () => (await events()).EventsPage) },
      { path: '/events/history', page: loaded(async () => (await events()).HistoryPage) },
      { path: '/events/audit', page: loaded(async () => (await events()).AuditPage) },
      { path: '/events/:id', page: loaded(async () => (await events()).EventPage) },
    ],
  },
  {
    label: 'Developers',
    path: '/developers',
    icon: 'developers',
    scope: 'read',
    routes: [
      { path: '/developers', page: loaded(async () => (await developers()).WebhooksPage) },
      { path: '/developers/webhooks/:id', page: loaded(async () => (await developers()).WebhookPage) },
      { path: '/developers/deliveries/:id', page: loaded(async () => (await developers()).DeliveryPage) },
      { path: '/developers/sandbox', page: loaded(async () => (await developers()).SandboxPage) },
      { path: '/developers/keys', page: loaded(async () => (await developers()).ApiKeysPage) },
    ],
  },
  {
    label: 'Operations',
    path: '/operations',
    icon: 'operations',
    scope: 'master',
    routes: [
      { path: '/operations', page: loaded(async () => (await operations()).SagasPage) },
      { path: '/operations/sagas/:id', page: loaded(async () => (await operations()).SagaPage) },
      { path: '/operations/parked', page: loaded(async () => (await operations()).ParkedPage) },
      { path: '/operations/providers', page: loaded(async () => (await operations()).ProvidersPage) },
    ],
  },
];

import { escrowAdapter } from '@holdfast/escrow-adapter';
import { gatewayMigrations } from '@holdfast/gateway';
import { identity } from '@holdfast/identity';
import { ledgerBalance } from '@holdfast/ledger-balance';
import { notifications } from '@holdfast/notifications';
import { orders } from '@holdfast/orders';
import { payments } from '@holdfast/payments';
import { migrationFoldersOf, type ServiceDefinition } from '@holdfast/service-kit';

export type Schema = { readonly service: string; readonly migrations: readonly string[] };

const services: readonly ServiceDefinition[] = [identity, ledgerBalance, orders, escrowAdapter, payments, notifications];

/** The schemas of an installation whose processes run separately. */
export const schemas: readonly Schema[] = [
  { service: 'gateway', migrations: gatewayMigrations },
  ...services.map((definition) => ({ service: definition.name, migrations: migrationFoldersOf(definition) })),
];

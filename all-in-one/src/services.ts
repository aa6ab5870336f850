import { escrowAdapter } from '@holdfast/escrow-adapter';
import { identity } from '@holdfast/identity';
import { ledgerBalance } from '@holdfast/ledger-balance';
import { notifications } from '@holdfast/notifications';
import { orders } from '@holdfast/orders';
import { payments } from '@holdfast/payments';
import type { ServiceDefinition } from '@holdfast/service-kit';

/** Every service, in start order. The gateway starts after them: when it responds, everything is ready. */
export const services: readonly ServiceDefinition[] = [identity, ledgerBalance, escrowAdapter, payments, orders, notifications];

import { escrowAdapter } from '@holdfast/escrow-adapter';
import { identity } from '@holdfast/identity';
import { ledgerBalance } from '@holdfast/ledger-balance';
import { notifications } from '@holdfast/notifications';
import { orders } from '@holdfast/orders';
import type { ServiceDefinition } from '@holdfast/service-host';

/** Every service there is, in the order they start. The gateway comes last, because its first answer means that all are ready. */
export const services: readonly ServiceDefinition[] = [identity, ledgerBalance, escrowAdapter, orders, notifications];

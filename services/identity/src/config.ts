import { durationMsSetting } from '@holdfast/shared/config';
import { serviceUrlSetting } from '@holdfast/shared/service-client';
import { z } from 'zod';

export const settings = z.object({
  LEDGER_BALANCE_URL: serviceUrlSetting('ledger-balance'),
  ORDERS_URL: serviceUrlSetting('orders'),
  ESCROW_ADAPTER_URL: serviceUrlSetting('escrow-adapter'),
  KEY_USES_NOTED_EVERY_MS: durationMsSetting({
    description: 'How often it is written down when API keys were last used.',
    default: 5_000,
    min: 10,
  }),
  REFUSALS_TOLD_EVERY_MS: durationMsSetting({
    description: 'How often the audit trail is told of credentials that were refused.',
    default: 15_000,
    min: 10,
  }),
});

export type Settings = z.output<typeof settings>;

/** Which setting says where a service answers. */
export const urlSettings = {
  'ledger-balance': 'LEDGER_BALANCE_URL',
  orders: 'ORDERS_URL',
  'escrow-adapter': 'ESCROW_ADAPTER_URL',
} as const;

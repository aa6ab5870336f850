import { z } from 'zod';
import { durationMsSetting, emergencyStopSetting, serviceUrlSetting } from '@holdfast/service-host/config';

export const settings = z.object({
  LEDGER_BALANCE_URL: serviceUrlSetting('ledger-balance'),
  ORDERS_URL: serviceUrlSetting('orders'),
  ESCROW_ADAPTER_URL: serviceUrlSetting('escrow-adapter'),
  PAYMENTS_URL: serviceUrlSetting('payments'),
  EMERGENCY_STOP: emergencyStopSetting(),
  KEY_USES_FLUSH_EVERY_MS: durationMsSetting({
    description: 'Interval at which the last use of API keys is written to the database.',
    default: 5_000,
    min: 10,
  }),
  REFUSALS_PUBLISH_EVERY_MS: durationMsSetting({
    description: 'Interval at which refused credentials are published to the audit trail.',
    default: 15_000,
    min: 10,
  }),
});

export type Settings = z.output<typeof settings>;

/** The setting with the URL of each service. */
export const urlSettings = {
  'ledger-balance': 'LEDGER_BALANCE_URL',
  orders: 'ORDERS_URL',
  'escrow-adapter': 'ESCROW_ADAPTER_URL',
  payments: 'PAYMENTS_URL',
} as const;

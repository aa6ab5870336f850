import { z } from 'zod';
import { durationMsSetting, serviceUrlSetting } from '@holdfast/process/config';

export const settings = z.object({
  IDENTITY_URL: serviceUrlSetting('identity'),
  ESCROW_ADAPTER_URL: serviceUrlSetting('escrow-adapter'),
  PAYMENTS_URL: serviceUrlSetting('payments'),
  LEDGER_VERIFY_EVERY_MS: durationMsSetting({
    description: 'How often the ledger is checked in the background.',
    default: 3_600_000,
    min: 1_000,
  }),
});

export type Settings = z.output<typeof settings>;

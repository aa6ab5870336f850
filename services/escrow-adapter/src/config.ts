import {
  countSetting,
  durationMsSetting,
  optionalSetting,
  secretSetting,
  textSetting,
  urlSetting,
} from '@holdfast/shared/config';
import { serviceUrlSetting } from '@holdfast/shared/service-client';
import { z } from 'zod';
import { walletSettings } from './wallets/settings.js';

export const settings = z
  .object({
    ...walletSettings,
    IDENTITY_URL: serviceUrlSetting('identity'),
    ESCROW_PROVIDER_URL: urlSetting({ description: 'Where the escrow provider answers.', protocols: ['http', 'https'] }),
    ESCROW_PROVIDER_API_KEY: secretSetting({ description: 'What the escrow provider knows us by.' }),
    ESCROW_PROVIDER_CALLS_PER_MINUTE: optionalSetting(
      countSetting({
        description: 'How many calls the escrow provider takes; 0 means any number. By default 50 over https, any over http.',
        min: 0,
        max: 100_000,
      }),
    ),
    ESCROW_WEBHOOK_SECRET: optionalSetting(
      secretSetting({
        description: 'Proves events of the escrow provider; without it they are hints. Required in production.',
        prefix: 'esc_whsec_',
      }),
    ),
    ESCROW_LANE_RUNS: countSetting({
      description: 'How many contracts one process works on at the same time.',
      default: 64,
      min: 1,
      max: 1_000,
    }),
    ESCROW_CHECK_EVERY_MS: durationMsSetting({
      description: 'How often each funded contract is looked at for something that nobody here asked for.',
      default: 600_000,
      min: 100,
    }),
    ESCROW_UNCONFIRMED_MS: durationMsSetting({
      description: 'How long a deployment whose contract nobody names is waited for.',
      default: 600_000,
      min: 100,
    }),
    NODE_ENV: optionalSetting(textSetting({ description: 'In production secrets must be given, and long.', lengthMax: 50 })),
  })
  .superRefine(({ NODE_ENV, ESCROW_WEBHOOK_SECRET }, issues) => {
    if (NODE_ENV !== 'production' || ESCROW_WEBHOOK_SECRET !== undefined) return;
    issues.addIssue({ code: 'custom', message: 'ESCROW_WEBHOOK_SECRET is missing; in production events must be proved' });
  });

export type Settings = z.output<typeof settings>;

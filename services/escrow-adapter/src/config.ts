import { Networks } from '@stellar/stellar-sdk';
import { z } from 'zod';
import {
  amountSetting,
  countSetting,
  durationMsSetting,
  emergencyStopSetting,
  optionalSetting,
  secretSetting,
  textSetting,
  urlSetting,
  serviceUrlSetting,
  settlementTimeoutSettings,
} from '@holdfast/process/config';
import { contractSettings } from './signing/settings.js';
import { walletSettings } from './wallets/settings.js';

export const settings = z
  .object({
    ...walletSettings,
    ...contractSettings,
    IDENTITY_URL: serviceUrlSetting('identity'),
    EMERGENCY_STOP: emergencyStopSetting(),
    ESCROW_PROVIDER_URL: urlSetting({ description: 'Base URL of the escrow provider.', protocols: ['http', 'https'] }),
    ESCROW_PROVIDER_API_KEY: secretSetting({ description: 'API key of the escrow provider.' }),
    ESCROW_PROVIDER_CALLS_PER_MINUTE: optionalSetting(
      countSetting({
        description:
          'Calls that the escrow provider allows, over all replicas; 0 means no limit. By default 50 over https, no limit over http.',
        min: 0,
        max: 100_000,
      }),
    ),
    ESCROW_WEBHOOK_SECRET: optionalSetting(
      secretSetting({
        description: 'Verifies the signature of provider events. Required in production.',
        prefix: 'esc_whsec_',
      }),
    ),
    ESCROW_INTENTS_CONCURRENT_MAX: countSetting({
      description: 'Maximum number of intents that one process runs concurrently.',
      default: 64,
      min: 1,
      max: 1_000,
    }),
    ESCROW_CHECK_EVERY_MS: durationMsSetting({
      description: 'How often each funded contract is checked for changes made outside this platform.',
      default: 600_000,
      min: 100,
    }),
    SETTLEMENT_TIMEOUT_MS: settlementTimeoutSettings.SETTLEMENT_TIMEOUT_MS,
    SAGA_ABORT_AFTER_MS: durationMsSetting({
      description:
        'The same value as in orders: a younger saga run cannot be resolved, unless it is known to be past its point of no return. Also the longest time that an intent waits for the call budget or for a provider that is behind.',
      default: 600_000,
      min: 10,
    }),
    SAGA_RESOLVE_APPROVAL_AMOUNT: optionalSetting(
      amountSetting({
        description:
          "Orders above this amount, in the order's currency, need a second person to resolve a saga run. By default none does.",
      }),
    ),
    NODE_ENV: optionalSetting(textSetting({ description: 'In production secrets must be given, and long.', lengthMax: 50 })),
  })
  .superRefine(({ NODE_ENV, ESCROW_WEBHOOK_SECRET, LEDGER_NETWORK_PASSPHRASE, TREASURY_SPENDING_PER_HOUR_MAX }, issues) => {
    const report = (message: string): void => issues.addIssue({ code: 'custom', message });
    if (NODE_ENV === 'production' && ESCROW_WEBHOOK_SECRET === undefined)
      report('ESCROW_WEBHOOK_SECRET is missing; in production provider events must be signed');
    if (isPublicNetwork(LEDGER_NETWORK_PASSPHRASE) && TREASURY_SPENDING_PER_HOUR_MAX === undefined)
      report('TREASURY_SPENDING_PER_HOUR_MAX is missing; on the public network the treasury has a spending cap');
  });

const publicPassphrase: string = Networks.PUBLIC;

function isPublicNetwork(passphrase: string): boolean {
  return passphrase === publicPassphrase;
}

export type Settings = z.output<typeof settings>;

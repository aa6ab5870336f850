import type { z } from 'zod';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { walletSettings } from './settings.js';

export type WalletConfig = z.output<z.ZodObject<typeof walletSettings>> & {
  readonly IDENTITY_URL: string;
  readonly ESCROW_VALID_MS_MAX: number;
  readonly SETTLEMENT_TIMEOUT_MS?: number | undefined;
};

export type WalletRuntime = ServiceRuntime<WalletConfig>;

import { AppError } from '@holdfast/kernel/errors';

/** The account cannot be used yet: it waits for the network, or for the marketplace's limit. */
export class WalletNotActive extends AppError {
  constructor(reason: string, retryAfterSeconds: number) {
    super('SERVICE_UNAVAILABLE', { reason, retryAfterSeconds });
    this.name = 'WalletNotActive';
  }
}

import { AppError } from '@holdfast/kernel/errors';

/** A node belongs to another network than the configured one. */
export class WrongNetwork extends AppError {
  constructor(node: 'RPC' | 'Horizon', found: string) {
    super(
      'SERVICE_UNAVAILABLE',
      { dependency: 'ledgerNetwork' },
      { message: `The ${node} belongs to another network: ${found}` },
    );
    this.name = 'WrongNetwork';
  }
}

import type { UserView } from '@holdfast/contracts/http';
import type { UserWithBalance } from '../use-cases/ports.js';

export function viewOfUser({ user, balance }: UserWithBalance): UserView {
  return {
    id: user.id,
    externalUserId: user.externalUserId,
    email: user.email,
    type: user.type,
    status: user.status,
    paymentAccountUserId: user.paymentAccountUserId,
    paymentAccountLinkedAt: user.paymentAccountLinkedAt,
    ledgerAddress: user.ledgerAddress,
    ledgerLinkedAt: user.ledgerLinkedAt,
    metadata: user.metadata,
    balance,
    createdAt: user.createdAt,
    updatedAt: user.updatedAt,
  };
}

import type { AccountUserView } from '@holdfast/contracts/http';
import type { Account } from '../domain/account.js';

export function viewOfAccount({ userId, email, name }: Account): AccountUserView {
  return { id: userId, email, name };
}

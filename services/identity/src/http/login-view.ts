import type { AccountUserView } from '@holdfast/contracts/http';
import type { Login } from '../domain/login.js';

export function viewOfLogin({ userId, email, name }: Login): AccountUserView {
  return { id: userId, email, name };
}

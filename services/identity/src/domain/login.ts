import type { Instant } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';

/** A person who logs in with an e-mail address and a password. The person is a user of the default marketplace, too. */
export type Login = {
  readonly userId: UserId;
  /** The address in lower case. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly createdAt: Instant;
};

import { accountKey, type Account } from '../domain/accounts.js';
import { accountsOf, usersOf } from '../domain/instructions.js';
import type { OutgoingMessage, Posting, RepliedChanges } from '../use-cases/ports.js';
import { movedUnitsOf, type TransferRow } from './schema.js';

type Accounts = ReadonlyMap<string, Account>;

/** The account that a posting is about. */
export function subjectOf({ instruction }: Posting, accounts: Accounts): Account {
  const [ref] = accountsOf(instruction);
  const account = ref === undefined ? undefined : accounts.get(accountKey(ref));
  if (account === undefined) throw new Error(`the account of a ${instruction.does} posting is not in the book`);
  return account;
}

/**
 * That account after the decision: each change of a user's account is a balance change, and the last one has its state.
 */
export function subjectAfter(posting: Posting, { balanceChanges }: RepliedChanges, accounts: Accounts): Account {
  const [userId] = usersOf(posting.instruction);
  return balanceChanges.findLast(({ after }) => after.owner === userId)?.after ?? subjectOf(posting, accounts);
}

/** The reply of a posting, made again from its transfers. */
export function replyFromJournal(
  posting: Posting,
  transfers: readonly TransferRow[],
  accounts: Accounts,
): readonly OutgoingMessage[] {
  if (posting.reply === undefined) return [];
  const changes = { balanceChanges: transfers.flatMap((row) => toChange(row, accounts)) };
  return [posting.reply.done(subjectAfter(posting, changes, accounts), changes)];
}

/** The user's account as the transfer left it. A transfer without a user, such as a fee, does not change a user's balance. */
function toChange(row: TransferRow, accounts: Accounts): RepliedChanges['balanceChanges'] {
  const { availableUnits, reservedUnits, accountVersion: version } = row;
  const account = [...accounts.values()].find(({ id }) => id === row.accountId);
  if (account === undefined || availableUnits === null || reservedUnits === null || version === null) return [];
  return [{ units: movedUnitsOf(row), after: { ...account, availableUnits, reservedUnits, version } }];
}

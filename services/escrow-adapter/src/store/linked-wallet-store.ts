import { linkedWalletsMax } from '@holdfast/contracts/http';
import { auditRecorded, stepMessageIds, userLedgerLinked, type AuditFact } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { Outbox } from '@holdfast/messaging/outbox';
import { upsertMany, type Database, type Tx } from '@holdfast/postgres';
import type { LinkedWallets } from '../use-cases/wallets/ports.js';
import { linkedWallets, type LinkedWalletRow } from './schema.js';

type Origin = Pick<Context, 'caller' | 'requestId' | 'at'>;

/** Requests of a user wait for each other, so that their links are counted, and one of them is primary. */
const lockUser = {
  name: 'lock-user-of-links',
  text: `
  select id
  from users
  where id = $1
  for no key update`,
};

const upsertLinks = upsertMany({
  ...linkedWallets,
  name: 'upsert-linked-wallets',
  key: ['userId', 'publicKey'],
  set: ['isPrimary'],
});

export function linkedWalletStore({ database, outbox }: { readonly database: Database; readonly outbox: Outbox }): LinkedWallets {
  return {
    connect: (wanted, origin) =>
      database.inTransaction(async (tx) => {
        const { userId, publicKey } = wanted;
        await tx.query(lockUser, [userId]);
        const links = await tx.manager.findBy(linkedWallets.entity, { userId });
        const known = links.find((link) => link.publicKey === publicKey);
        if (known?.isPrimary === true) return known;
        if (known === undefined && links.length >= linkedWalletsMax) throw tooManyLinks();
        const link = { ...(known ?? wanted), isPrimary: true };
        await tx.manager.update(linkedWallets.entity, { userId, isPrimary: true }, { isPrimary: false });
        tx.defer(upsertLinks([link]));
        if (known === undefined) publishLinked(outbox, tx, { link, version: links.length + 1 }, origin);
        else publishPrimary(outbox, tx, { link, version: links.length }, origin);
        return link;
      }),
  };
}

function tooManyLinks(): AppError {
  const message = `An account can link at most ${linkedWalletsMax} wallets.`;
  return new AppError('LIMIT_EXCEEDED', { max: linkedWalletsMax }, { message });
}

/** Versions count the links of the user. */
type Change = { readonly link: LinkedWalletRow; readonly version: number };

function publishLinked(outbox: Outbox, tx: Tx, change: Change, origin: Origin): void {
  const { id, userId, publicKey: ledgerAddress, connectedAt } = change.link;
  const messageId = stepMessageIds({ cause: id, name: 'connect', at: connectedAt });
  const linked = outbox.add(tx, userLedgerLinked, {
    ...envelopeOf(change, origin),
    id: messageId(userLedgerLinked.type),
    payload: { userId, ledgerAddress, walletType: 'EXTERNAL', linkedAt: connectedAt },
  });
  const after = { userId, ledgerAddress, walletType: 'EXTERNAL', isPrimary: true };
  outbox.add(tx, auditRecorded, {
    ...envelopeOf(change, origin),
    id: messageId('WALLET_LINKED'),
    afterEventId: linked.id,
    payload: auditOf({ action: 'WALLET_LINKED', before: null, after }, change, origin),
  });
}

function publishPrimary(outbox: Outbox, tx: Tx, change: Change, origin: Origin): void {
  const moved = { action: 'WALLET_MADE_PRIMARY', before: { isPrimary: false }, after: { isPrimary: true } };
  outbox.add(tx, auditRecorded, { ...envelopeOf(change, origin), payload: auditOf(moved, change, origin) });
}

function envelopeOf({ link: { userId, marketplaceId }, version }: Change, { requestId }: Origin) {
  const aggregate = { aggregateId: userId, aggregatePart: 'linked-wallets', aggregateVersion: version };
  return { ...aggregate, marketplaceId, correlationId: requestId };
}

type Audited = Pick<AuditFact, 'action' | 'before' | 'after'>;

function auditOf(audited: Audited, { link: { id, userId } }: Change, { caller, at }: Origin): AuditFact {
  const actor = { actorType: caller.type, actorId: caller.id };
  const resource = { resourceType: 'Wallet', resourceId: id, relatedIds: [userId] };
  return { ...audited, ...resource, ...actor, result: 'SUCCESS', reason: null, recordedAt: at };
}

import { allMessages, type Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';

export type Observed = {
  /** Every message of the ledger, in the order of arrival. */
  readonly published: readonly Envelope[];
  /** The payload of the first reply of this type about this order, top-up or withdrawal. */
  readonly reply: (type: string, subjectId: string) => Promise<unknown>;
  readonly repliesTo: (subjectId: string) => readonly Envelope[];
  /** Waits for this many public events about a user's balance, and returns them by version. */
  readonly eventsOf: (userId: string, count: number) => Promise<readonly Envelope[]>;
};

/** Queries over all messages that the ledger has published. */
export function observed(published: readonly Envelope[]): Observed {
  return {
    published,
    reply: (type, subjectId) =>
      eventually(() => {
        const reply = repliesTo(published, subjectId).find((candidate) => candidate.type === type);
        if (reply === undefined) throw new Error(`no ${type} about ${subjectId} yet`);
        return reply.payload;
      }),
    repliesTo: (subjectId) => repliesTo(published, subjectId),
    eventsOf: (userId, count) =>
      eventually(() => {
        const events = publicEvents(published, userId);
        if (events.length < count) throw new Error(`${events.length} of ${count} events so far`);
        return events;
      }),
  };
}

const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

function publicEvents(published: readonly Envelope[], userId: string): readonly Envelope[] {
  return published
    .filter(({ type, aggregateId }) => publicTypes.has(type) && aggregateId === userId)
    .sort((a, b) => a.aggregateVersion - b.aggregateVersion);
}

function repliesTo(published: readonly Envelope[], subjectId: string): readonly Envelope[] {
  return published.filter(({ type, payload }) => !publicTypes.has(type) && Object.values(payload as object).includes(subjectId));
}

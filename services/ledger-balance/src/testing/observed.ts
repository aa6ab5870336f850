import { allMessages, type Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';

export type Observed = {
  /** The payload of the first answer of this type that is about this order, top-up or withdrawal. */
  readonly reply: (type: string, subjectId: string) => Promise<unknown>;
  readonly repliesTo: (subjectId: string) => readonly Envelope[];
  /** The public events about a user's balance, once there are this many, in the order of their versions. */
  readonly eventsOf: (userId: string, count: number) => Promise<readonly Envelope[]>;
};

/** What tests ask of everything the ledger told so far. */
export function observed(published: readonly Envelope[]): Observed {
  return {
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

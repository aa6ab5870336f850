import type { SagaRunId } from '@holdfast/shared/ids';
import type { KnownUser } from '@holdfast/shared/known-users';
import type { Order } from '../domain/order.js';
import type { Comment, NewRun, Outcome, Told } from '../use-cases/ports.js';

/** An order that was decided on as the transaction `writtenBy` had left it. */
export type SavedOrder = { readonly before: Order; readonly after: Order; readonly writtenBy: string };

export type BegunRun = NewRun & { readonly id: SagaRunId };
export type EndedRun = { readonly runId: SagaRunId; readonly outcome: Outcome };

/** What a decision, or several that share a commit, want written. */
export type Draft = {
  /** Messages that must not have been heard before. */
  readonly heard: string[];
  /** Users who must not have changed. */
  readonly relied: KnownUser[];
  readonly inserted: Order[];
  readonly saved: SavedOrder[];
  readonly comments: Comment[];
  readonly begun: BegunRun[];
  readonly answered: EndedRun[];
  readonly closed: EndedRun[];
  readonly told: Told[];
};

export function emptyDraft(): Draft {
  return { heard: [], relied: [], inserted: [], saved: [], comments: [], begun: [], answered: [], closed: [], told: [] };
}

/** Each kind of thing together, so that one statement can write all of it. */
export function gathered(drafts: readonly Draft[]): Draft {
  return {
    heard: drafts.flatMap(({ heard }) => heard),
    relied: drafts.flatMap(({ relied }) => relied),
    inserted: drafts.flatMap(({ inserted }) => inserted),
    saved: drafts.flatMap(({ saved }) => saved),
    comments: drafts.flatMap(({ comments }) => comments),
    begun: drafts.flatMap(({ begun }) => begun),
    answered: drafts.flatMap(({ answered }) => answered),
    closed: drafts.flatMap(({ closed }) => closed),
    told: drafts.flatMap(({ told }) => told),
  };
}

import type { MessageDeclaration } from '../../contracts/messages/index.js';
import { allSagas, awaitedBy } from '../../sagas/index.js';

/** The first saga in which somebody handles the message: what a test publishes belongs to it unless the test says otherwise. */
export function sagaOf({ type }: Pick<MessageDeclaration, 'type'>): { readonly saga?: string } {
  const found = allSagas.find(({ steps }) =>
    Object.values(steps)
      .flatMap(awaitedBy)
      .some((awaited) => awaited.type === type),
  );
  return found === undefined ? {} : { saga: found.name };
}

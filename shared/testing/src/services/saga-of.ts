import type { MessageDeclaration } from '@holdfast/contracts/messages';
import { allSagas, awaitedBy } from '@holdfast/contracts/sagas';

/** The first saga in which somebody handles the message: what a test publishes belongs to it unless the test says otherwise. */
export function sagaOf({ type }: Pick<MessageDeclaration, 'type'>): { readonly saga?: string } {
  const found = allSagas.find(({ steps }) =>
    Object.values(steps)
      .flatMap(awaitedBy)
      .some((awaited) => awaited.type === type),
  );
  return found === undefined ? {} : { saga: found.name };
}

import { IdLink } from '../../ui/id-link.js';
import { wordsOf } from '../../ui/status-words.js';

/** `user:usr_1:available`, `escrow:ord_1`, `platform:fees`, `external:bank`. */
export function AccountName({ account }: { readonly account: string }) {
  const [kind = '', name = '', part] = account.split(':');
  if (kind === 'user')
    return (
      <span>
        <IdLink id={name} /> {part}
      </span>
    );
  if (kind === 'escrow') return <span>Escrow</span>;
  return (
    <span>
      {wordsOf(kind)}: {wordsOf(name)}
    </span>
  );
}

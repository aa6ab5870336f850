import { Link } from 'wouter';
import { CopyButton } from './copy-button.js';
import { pathOfId } from './paths.js';

type IdLinkProps = {
  readonly id: string;
  /** Shown instead of the id; a copy still gives the id. */
  readonly label?: string;
};

/** An id: a link if the object has a page, and can be copied in any case. */
export function IdLink({ id, label }: IdLinkProps) {
  const path = pathOfId(id);
  const shown = label ?? shortened(id);
  return (
    <span className="hf-id">
      {path === undefined ? (
        <code title={id}>{shown}</code>
      ) : (
        <Link href={path} title={id}>
          {label ?? <code>{shown}</code>}
        </Link>
      )}
      <CopyButton value={id} label={id} />
    </span>
  );
}

const lengthMax = 22;

/** Ids differ at their end; addresses and hashes of the network are longer than a column. */
function shortened(id: string): string {
  return id.length <= lengthMax ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;
}

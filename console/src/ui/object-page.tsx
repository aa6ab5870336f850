import type { ReactNode } from 'react';
import type { Request } from '../data/copy-as.js';
import { CopyAsMenu } from './copy-as-menu.js';
import { CopyButton } from './copy-button.js';

type ObjectPageProps = {
  /** The kind of the object: "Order". */
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly badge?: ReactNode;
  /** The buttons of its actions. */
  readonly actions?: ReactNode;
  /** The request that reads it. */
  readonly request: Request;
  readonly children: ReactNode;
};

/** The page of one object: what it is, what can be done, and its parts. */
export function ObjectPage({ kind, id, title, badge, actions, request, children }: ObjectPageProps) {
  return (
    <>
      <title>{`${title} · Holdfast`}</title>
      <header className="hf-page-header">
        <div className="hf-page-title">
          <p className="hf-kind">{kind}</p>
          <h1>
            {title} {badge}
          </h1>
          <p className="hf-page-id">
            <code>{id}</code>
            <CopyButton value={id} label={id} />
          </p>
        </div>
        <div className="hf-actions">
          {actions}
          <CopyAsMenu request={request} />
        </div>
      </header>
      <div className="hf-page-parts">{children}</div>
    </>
  );
}

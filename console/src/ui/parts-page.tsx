import type { ReactNode } from 'react';
import type { Request } from '../data/copy-as.js';
import { CopyAsMenu } from './copy-as-menu.js';

type PartsPageProps = {
  readonly title: string;
  readonly tabs?: ReactNode;
  readonly actions?: ReactNode;
  /** The request that reads it. */
  readonly request?: Request;
  readonly children: ReactNode;
};

/** A page of several parts that is about no single object. */
export function PartsPage({ title, tabs, actions, request, children }: PartsPageProps) {
  return (
    <>
      <title>{`${title} · Holdfast`}</title>
      <header className="hf-page-header">
        <h1>{title}</h1>
        <div className="hf-actions">
          {actions}
          {request === undefined ? null : <CopyAsMenu request={request} />}
        </div>
      </header>
      {tabs}
      <div className="hf-page-parts">{children}</div>
    </>
  );
}

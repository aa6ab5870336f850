import type { ReactNode } from 'react';

type ListPageProps = {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Links to the other parts of the area. */
  readonly tabs?: ReactNode;
  /** Fields that narrow the list. */
  readonly filters?: ReactNode;
  readonly children: ReactNode;
};

export function ListPage({ title, actions, tabs, filters, children }: ListPageProps) {
  return (
    <>
      <title>{`${title} · Holdfast`}</title>
      <header className="hf-page-header">
        <h1>{title}</h1>
        {actions === undefined ? null : <div className="hf-actions">{actions}</div>}
      </header>
      {tabs}
      {filters === undefined ? null : (
        <div className="hf-filters" role="search">
          {filters}
        </div>
      )}
      <div className="hf-card">{children}</div>
    </>
  );
}

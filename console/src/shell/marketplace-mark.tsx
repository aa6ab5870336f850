import { NativeSelect } from '@mantine/core';
import { useIsSandbox } from '../data/use-is-sandbox.js';
import { useListPage } from '../data/use-read.js';
import { useSession } from '../session/session-context.js';

/** Which marketplace the page is about. The master key chooses one. */
export function MarketplaceMark() {
  const { me } = useSession();
  const isSandbox = useIsSandbox();
  return (
    <div className="hf-marketplace">
      {me.type === 'master' ? <MarketplaceChoice /> : <MarketplaceName name={me.marketplaceName} id={me.marketplaceId} />}
      {me.type === 'master' ? <span className="hf-badge hf-badge-warning">Master key</span> : null}
      {isSandbox ? <span className="hf-badge hf-badge-busy">Sandbox</span> : null}
    </div>
  );
}

function MarketplaceName({ name, id }: { readonly name: string; readonly id: string }) {
  return (
    <span className="hf-marketplace-name" title={id}>
      {name}
    </span>
  );
}

const marketplacesMax = 100;

function MarketplaceChoice() {
  const { me, chooseMarketplace } = useSession();
  const { data } = useListPage(['marketplaces.list'], (api) => api.marketplaces.list({ limit: marketplacesMax }));
  const listed = (data?.records ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isListed = listed.some(({ value }) => value === me.marketplaceId);
  return (
    <NativeSelect
      size="xs"
      aria-label="Marketplace"
      value={me.marketplaceId}
      data={isListed ? listed : [{ value: me.marketplaceId, label: me.marketplaceName }, ...listed]}
      onChange={(event) => chooseMarketplace(event.currentTarget.value)}
    />
  );
}

import { NativeSelect } from '@mantine/core';
import { useListPage } from '../data/use-read.js';
import { useSession } from '../session/session-context.js';

/** Which marketplace the page is about. The master key chooses one. */
export function MarketplaceMark() {
  const { me } = useSession();
  return (
    <div className="hf-marketplace">
      {me.type === 'master' ? <MarketplaceChoice /> : <span className="hf-marketplace-name">{me.marketplaceId}</span>}
      {me.type === 'master' ? <span className="hf-badge hf-badge-warning">Master key</span> : null}
    </div>
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
      data={isListed ? listed : [{ value: me.marketplaceId, label: me.marketplaceId }, ...listed]}
      onChange={(event) => chooseMarketplace(event.currentTarget.value)}
    />
  );
}

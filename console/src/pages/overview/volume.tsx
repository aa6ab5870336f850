import { Link } from 'wouter';
import type { Summary } from '@holdfast/sdk';
import { sumOf } from '../../data/format-amount.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/section.js';
import { VolumeChart } from './chart.js';
import { volumeOf } from './figures.js';

/** Orders that were created in the last thirty days, by day. */
export function Volume({ summary }: { readonly summary: Summary }) {
  const series = volumeOf(summary);
  return (
    <Section title="Volume of the last 30 days" actions={<Link href="/orders">Orders</Link>}>
      {series.length === 0 ? <EmptyState title="No orders in this period">Bars appear with the first order.</EmptyState> : null}
      {series.map((one) => (
        <div key={one.currency}>
          <p className="hf-volume-total">
            <Money amount={sumOf(amountsIn(summary, one.currency))} currency={one.currency} />
            <span className="hf-dimmed"> in {one.orders.reduce((sum, count) => sum + count, 0).toLocaleString('en')} orders</span>
          </p>
          <VolumeChart series={one} />
        </div>
      ))}
    </Section>
  );
}

function amountsIn({ volume }: Summary, currency: string): readonly string[] {
  return volume.filter((row) => row.currency === currency).map(({ amount }) => amount);
}
